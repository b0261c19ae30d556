// From a request to a response: the page's files, the API, and what is refused. Knows no sockets; safe to call from
// several threads at once.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "base/json.h"
#include "base/result.h"
#include "tracedrills/http/access.h"
#include "tracedrills/http/message.h"

namespace td::app::http {

inline constexpr size_t kMaxBodyBytes = size_t{1} << 20;

struct SiteOptions {
  Access access;
  std::string_view version;               // "0.1.0"
  std::vector<std::string_view> methods;  // those that pages may call
  std::vector<std::string_view> queued;   // of those, the ones that wait for a worker; the others are answered at once
  // The key under which the reply may be kept and found again; empty if it may not. Null: nothing is kept.
  std::function<std::string(std::string_view method, const Json& request)> cache_key;
  // Answers a method of `methods`. Called from several threads.
  std::function<Result<api::Reply>(std::string_view method, const Json& request)> call;
  int workers = 1;       // queued calls that run at once; the others wait
  int max_waiting = 32;  // more are refused at once, so that threads stay free for the page and for `catalog`
  size_t cache_bytes = size_t{64} << 20;
  int busy_after_ms = 20'000;  // how long a call waits for a worker before it is refused
  // Called when the last queued call has run and none waits; may be null.
  std::function<void()> on_idle;
};

class Site {
 public:
  explicit Site(SiteOptions options);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  Response handle(const Request& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The status and body of an API error, as docs/api.md has them.
Response error_response(const Error& error);

// A refusal that is not the API's own: `{"error":{"code":code,"message":message,"where":""}}`.
Response refusal(int status, std::string_view code, std::string_view message);

// `TDR1`, the length of the JSON, the JSON, the blob.
std::string frame_reply(std::string_view json, std::string_view blob);

// Headers that every response carries: content security policy, no sniffing, no referrer.
void add_security_headers(Response& response);

}  // namespace td::app::http
