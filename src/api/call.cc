#include <string>

#include "api/api.h"
#include "api/method.h"

namespace td::api {

Result<Reply> call(std::string_view method, const Json& request, Io& io) {
  std::string names;
  for (const Method& candidate : all_methods()) {
    if (candidate.name == method) return candidate.handle(request, io);
    names += (names.empty() ? "" : ", ") + std::string(candidate.name);
  }
  return fail(ErrorCode::not_found, "no method " + quote_short(method) + "; methods: " + names);
}

}  // namespace td::api
