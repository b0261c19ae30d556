// A request and a response as values, so that routing can be tested, and fuzzed, without a socket.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace td::app::http {

struct Request {
  std::string method;  // "GET", "POST", ...
  std::string path;    // decoded, without the query
  std::string host;    // the Host header; empty if absent
  std::string origin;  // the Origin header; empty if absent
  std::string content_type;
  std::string if_none_match;
  bool accepts_gzip = false;
  bool too_large = false;  // the body passed the limit and was dropped
  bool cut_short = false;  // the body ended early or is not what its headers say
  std::string body;
};

// The body's bytes stay valid while `owner` lives; null for bytes that live as long as the program (assets).
struct Response {
  int status = 200;
  std::string content_type;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;
  std::shared_ptr<const std::string> owner;

  void own(std::string bytes) {
    owner = std::make_shared<const std::string>(std::move(bytes));
    body = *owner;
  }
};

}  // namespace td::app::http
