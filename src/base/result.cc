#include "base/result.h"

namespace td {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::malformed:
      return "malformed";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::io:
      return "io";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

std::string Error::text() const { return where.empty() ? message : where + ": " + message; }

std::string quote_short(std::string_view text) {
  constexpr size_t kMostBytes = 80;
  if (text.size() <= kMostBytes) return "\"" + std::string(text) + "\"";
  size_t end = kMostBytes;
  const auto continues = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  while (end > kMostBytes - 3 && continues(end)) --end;
  return "\"" + std::string(text.substr(0, end)) + "...\"";
}

}  // namespace td
