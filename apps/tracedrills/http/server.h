// A Site on a port: threads, timeouts and limits. Blocking; see serve() for the order of calls.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tracedrills/http/message.h"

namespace td::app::http {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8420;                                 // 0 picks a free one
  std::function<Response(const Request&)> handle;  // called from several threads
  // One line a request ("POST /api/v1/open 200 1234567 bytes"), if set.
  std::function<void(std::string_view line)> log;
};

class Server {
 public:
  explicit Server(ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Opens the port and returns its number; from then on connections queue. io error if it cannot, with what to do.
  Result<int> bind();

  // Must be called before serve(): the handler may need the port that bind() found.
  void set_handler(std::function<Response(const Request&)> handle);

  // Answers until stop(). Returns after the last connection ended: at the latest, the read timeout later.
  void serve();

  // Ends serve(); from any thread, any number of times. Does nothing before serve() has begun to accept.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace td::app::http
