// Errors as values. Nothing in src/ throws; a function that can fail returns Result<T>.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace td {

enum class ErrorCode { not_found, invalid_argument, malformed, unsupported, io, cancelled, internal };

// The code's name as printed in JSON and messages ("invalid_argument").
std::string_view to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // what was wrong and what was expected, in words
  std::string where;    // file, event index, byte or row; empty if the message says it

  // "where: message", or the message alone.
  [[nodiscard]] std::string text() const;
};

// `text` in double quotes for a message: whole up to 80 bytes, else its beginning, which ends between UTF-8 characters,
// and "...". What somebody sent decides what a message says, not how long it is.
std::string quote_short(std::string_view text);

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {}) {
  return std::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}

}  // namespace td

// TRY(expr): the value of a Result, or return its Error from the enclosing function.
// A GNU statement expression: g++ 12, clang 19 and the wasm32 target all have it.
#define TRY(expr)                                                                 \
  __extension__({                                                                 \
    auto td_try_result = (expr);                                                  \
    if (!td_try_result) return std::unexpected(std::move(td_try_result).error()); \
    *std::move(td_try_result);                                                    \
  })

// TRY_OK(expr): the same for a Status, which has no value.
#define TRY_OK(expr)                                                              \
  do {                                                                            \
    auto td_try_status = (expr);                                                  \
    if (!td_try_status) return std::unexpected(std::move(td_try_status).error()); \
  } while (false)
