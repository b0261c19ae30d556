// Any request to the routes of the server: method, path, headers and body, split at newlines. The API behind it is a
// stub; it has a harness of its own.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tracedrills/http/site.h"

namespace {

using namespace td;

Result<api::Reply> echo(std::string_view, const Json& request) {
  api::Reply reply{.json = request, .blob = {}};
  if (!request["blob"].is_null()) reply.blob = "BLOB";
  return reply;
}

std::string key_of_open(std::string_view method, const Json& request) {
  return method == "open" ? request.dump() : std::string();
}

app::http::Site& site() {
  static app::http::Site only({.access = app::http::Access("127.0.0.1", 8420),
                               .version = "0",
                               .methods = {"catalog", "open"},
                               .queued = {"open"},
                               .cache_key = key_of_open,
                               .call = echo,
                               .workers = 1,
                               .cache_bytes = 1 << 16,
                               .on_idle = nullptr});
  return only;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  app::http::Request request;
  for (std::string* field : {&request.method, &request.path, &request.host, &request.origin, &request.content_type,
                             &request.if_none_match}) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    *field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  request.accepts_gzip = size % 2 == 0;
  request.body = rest;
  const app::http::Response response = site().handle(request);
  // What a page of another site gets, whatever it sends: never anything but a refusal.
  const bool ours = app::http::Access("127.0.0.1", 8420).host_allowed(request.host) &&
                    (request.origin.empty() || request.origin.size() == 7 + request.host.size());
  if (!ours && response.status != 403) std::abort();
  if (response.status != 304 && response.body.empty()) std::abort();
  return 0;
}
