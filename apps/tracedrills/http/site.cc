#include "tracedrills/http/site.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <semaphore>

#include "tracedrills/http/assets.h"
#include "tracedrills/http/reply_cache.h"

namespace td::app::http {
namespace {

constexpr std::string_view kApiPrefix = "/api/v1/";

// The page uses nothing but its own files, of which one is a service worker; blob: and data: are images that it draws
// itself. There is no Cross-Origin-Opener-Policy: it would cut the window handle through which a trace is handed to
// Perfetto.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "media-src blob:; font-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::malformed:
      return 400;
    case ErrorCode::not_found:
      return 404;
    case ErrorCode::unsupported:
      return 422;
    case ErrorCode::io:
    case ErrorCode::cancelled:
    case ErrorCode::internal:
      return 500;
  }
  return 500;
}

Response json_response(int status, std::string text) {
  Response response{.status = status, .content_type = "application/json", .headers = {}, .body = {}, .owner = {}};
  response.headers.emplace_back("Cache-Control", "no-store");
  response.own(std::move(text));
  return response;
}

Response error_body(int status, std::string_view code, std::string_view message, std::string_view where) {
  Json error = Json::object();
  error.set("code", Json::string(code)).set("message", Json::string(message)).set("where", Json::string(where));
  return json_response(status, Json::object().set("error", std::move(error)).dump());
}

// application/json, with or without parameters.
bool is_json_type(std::string_view type) {
  std::string_view bare = type.substr(0, type.find(';'));
  while (bare.ends_with(' ')) bare.remove_suffix(1);
  return std::ranges::equal(bare, std::string_view("application/json"),
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

std::string join(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view name : names) out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

Response asset_response(const Asset& asset, const Request& request) {
  Response response{
      .status = 200, .content_type = std::string(media_type(asset.path)), .headers = {}, .body = {}, .owner = {}};
  response.headers.emplace_back("ETag", asset.etag);
  response.headers.emplace_back("Cache-Control",
                                is_hashed_name(asset.path) ? "public, max-age=31536000, immutable" : "no-cache");
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (request.if_none_match == asset.etag) {
    response.status = 304;
    return response;
  }
  response.body = asset.bytes;
  if (request.accepts_gzip && !asset.gzip_bytes.empty()) {
    response.body = asset.gzip_bytes;
    response.headers.emplace_back("Content-Encoding", "gzip");
  }
  return response;
}

Response reply_response(const ReplyCache::Entry& entry) {
  Response response{.status = 200,
                    .content_type = entry.framed ? "application/x-tracedrills" : "application/json",
                    .headers = {},
                    .body = *entry.body,
                    .owner = entry.body};
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

}  // namespace

struct Site::State {
  explicit State(SiteOptions from)
      : options(std::move(from)), cache(options.cache_bytes), workers(std::max(1, options.workers)) {}

  SiteOptions options;
  ReplyCache cache;
  std::counting_semaphore<> workers;
  std::atomic<int> waiting = 0;
  std::atomic<int> busy = 0;  // waiting or running

  Response route(const Request& request);
  Response about() const;
  Response call_method(std::string_view method, const Request& request);
  bool take_worker();
  Response queue(std::string_view method, const Json& body, const std::string& key);
  Response run(std::string_view method, const Json& body, const std::string& key);
};

Site::Site(SiteOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Site::~Site() = default;

Response Site::handle(const Request& request) {
  Response response = state_->route(request);
  add_security_headers(response);
  return response;
}

Response Site::State::route(const Request& request) {
  if (!options.access.host_allowed(request.host)) {
    return refusal(403, "forbidden", "the Host header names another server; open the address that tracedrills printed");
  }
  if (!Access::origin_allowed(request.origin, request.host)) {
    return refusal(403, "forbidden", "the request comes from another site's page");
  }
  if (request.path.starts_with(kApiPrefix) && request.path.size() > kApiPrefix.size()) {
    return call_method(std::string_view(request.path).substr(kApiPrefix.size()), request);
  }
  if (request.method != "GET" && request.method != "HEAD") {
    Response response = refusal(405, "method_not_allowed", "the page is read with GET; the API is POST /api/v1/METHOD");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
  }
  if (request.path == kApiPrefix) return about();
  if (const Asset* asset = find_asset(request.path)) return asset_response(*asset, request);
  return refusal(404, "not_found", "no such page; the trainer is at /");
}

Response Site::State::about() const {
  Json methods = Json::array();
  for (const std::string_view name : options.methods) methods.push(Json::string(name));
  Json about = Json::object();
  about.set("server", Json::string("tracedrills")).set("version", Json::string(options.version));
  return json_response(200, about.set("methods", std::move(methods)).dump());
}

Response Site::State::call_method(std::string_view method, const Request& request) {
  if (request.method != "POST") {
    Response response = refusal(405, "method_not_allowed", "the API is called with POST");
    response.headers.emplace_back("Allow", "POST");
    return response;
  }
  // A form of another site can send text/plain without asking; application/json it cannot.
  if (!is_json_type(request.content_type)) {
    return refusal(415, "unsupported_media_type", "expected Content-Type: application/json");
  }
  if (request.too_large)
    return refusal(413, "too_large", "the body is over " + std::to_string(kMaxBodyBytes) + " bytes");
  if (request.cut_short) return refusal(400, "malformed", "the body ended early or does not match its headers");
  if (std::ranges::find(options.methods, method) == options.methods.end()) {
    return error_response({.code = ErrorCode::not_found,
                           .message = "no method of that name; valid are " + join(options.methods),
                           .where = std::string(method.substr(0, 80))});
  }
  Result<Json> body = parse_json(request.body);
  if (!body) {
    if (body.error().where.empty()) body.error().where = "request body";
    return error_response(body.error());
  }
  if (body->kind() != Json::Kind::object) {
    return error_response({.code = ErrorCode::malformed, .message = "expected a JSON object", .where = "request body"});
  }
  std::string key = options.cache_key ? options.cache_key(method, *body) : std::string();
  if (!key.empty()) {
    key = std::string(method) + " " + key;
    if (const ReplyCache::Entry entry = cache.find(key); entry.body) return reply_response(entry);
  }
  const bool queued = std::ranges::find(options.queued, method) != options.queued.end();
  return queued ? queue(method, *body, key) : run(method, *body, key);
}

// False if none was free in time, or too many wait already.
bool Site::State::take_worker() {
  if (workers.try_acquire()) return true;
  bool taken = false;
  if (++waiting <= options.max_waiting) {
    taken = workers.try_acquire_for(std::chrono::milliseconds(options.busy_after_ms));
  }
  --waiting;
  return taken;
}

Response Site::State::queue(std::string_view method, const Json& body, const std::string& key) {
  struct Held {  // given back even if memory runs out within
    State& state;
    bool worker;
    ~Held() {
      if (worker) state.workers.release();
      if (--state.busy == 0 && state.options.on_idle) state.options.on_idle();
    }
  };
  ++busy;
  const Held held{.state = *this, .worker = take_worker()};
  if (held.worker) return run(method, body, key);
  Response response = refusal(503, "busy", "all workers are taken and calls wait for them; try again");
  response.headers.emplace_back("Retry-After", "5");
  return response;
}

Response Site::State::run(std::string_view method, const Json& body, const std::string& key) {
  const Result<api::Reply> reply = options.call(method, body);
  if (!reply) return error_response(reply.error());
  const bool framed = !reply->blob.empty();
  std::string text = reply->json.dump();
  const ReplyCache::Entry entry{
      .body = std::make_shared<const std::string>(framed ? frame_reply(text, reply->blob) : std::move(text)),
      .framed = framed};
  if (!key.empty()) cache.put(key, entry);
  return reply_response(entry);
}

Response error_response(const Error& error) {
  return error_body(status_of(error.code), to_string(error.code), error.message, error.where);
}

Response refusal(int status, std::string_view code, std::string_view message) {
  return error_body(status, code, message, "");
}

std::string frame_reply(std::string_view json, std::string_view blob) {
  std::string out;
  out.reserve(8 + json.size() + blob.size());
  out += "TDR1";
  const auto length = static_cast<uint32_t>(json.size());
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((length >> shift) & 0xff);
  return out.append(json).append(blob);
}

void add_security_headers(Response& response) {
  response.headers.emplace_back("Content-Security-Policy", kContentSecurityPolicy);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
}

}  // namespace td::app::http
