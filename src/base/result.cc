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

}  // namespace td
