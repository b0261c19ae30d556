#include "tracedrills/http/server.h"

#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "tracedrills/http/access.h"
#include "tracedrills/http/site.h"

namespace td::app::http {
namespace {

// A connection holds its thread while it is open, idle or not: enough threads for every tab, a short idle time.
constexpr size_t kThreads = 128;
constexpr time_t kIdleTimeoutS = 1;
constexpr time_t kReadTimeoutS = 2;
constexpr time_t kWriteTimeoutS = 5;
constexpr size_t kRequestsPerConnection = 10'000;
constexpr int kBacklog = 511;
constexpr size_t kWriteChunkBytes = size_t{256} << 10;
// Bytes over the limit are read and dropped, so that the connection stays in step; past this it is given up.
constexpr size_t kMaxDroppedBytes = size_t{16} << 20;

bool accepts_gzip(const httplib::Request& from) {
  return from.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
}

Request to_request(const httplib::Request& from) {
  Request request;
  request.method = from.method;
  request.path = from.path;
  // Two Host headers: which one counts differs between readers, so neither does.
  if (from.get_header_value_count("Host") == 1) request.host = from.get_header_value("Host");
  const size_t origins = from.get_header_value_count("Origin");
  request.origin = origins > 1 ? "several" : from.get_header_value("Origin");  // of no page: refused
  request.content_type = from.get_header_value("Content-Type");
  request.if_none_match = from.get_header_value("If-None-Match");
  request.accepts_gzip = accepts_gzip(from);
  return request;
}

// The body goes out through a provider even where it is in memory: a plain body would be copied, and text compressed
// anew for each request by the library.
void to_response(const Response& from, httplib::Response& to) {
  to.status = from.status;
  to.set_header("Accept-Ranges", "none");
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (from.body.empty()) {
    if (from.status != 304) to.set_content("", 0, from.content_type);
    return;
  }
  const std::string_view body = from.body;
  to.set_content_provider(body.size(), from.content_type,
                          [body, owner = from.owner](size_t offset, size_t length, httplib::DataSink& sink) {
                            const size_t count = std::min(length, kWriteChunkBytes);
                            return sink.write(body.data() + offset, count);
                          });
}

// Reads at most kMaxBodyBytes into the request. The library's own limit misses chunked and compressed bodies.
void read_body(const httplib::ContentReader& reader, const httplib::Response& to, Request& request) {
  size_t dropped_bytes = 0;
  const bool complete = reader([&](const char* bytes, size_t count) {
    if (request.body.size() + count <= kMaxBodyBytes && dropped_bytes == 0) {
      request.body.append(bytes, count);
      return true;
    }
    request.too_large = true;
    request.body.clear();
    dropped_bytes += count;
    return dropped_bytes <= kMaxDroppedBytes;
  });
  if (complete) return;
  request.too_large = request.too_large || to.status == 413;  // 413: what the library counted itself
  request.cut_short = !request.too_large;
}

std::string why_not_bound(int error, const ServerOptions& options) {
  if (error == EADDRINUSE) return "port " + std::to_string(options.port) + " is in use";
  if (error == EACCES)
    return "port " + std::to_string(options.port) + " needs more rights; take one over 1023 with --port";
  if (error == EADDRNOTAVAIL || error == 0) return "no interface of this machine has the address " + options.host;
  return std::strerror(error);
}

}  // namespace

struct Server::State {
  ServerOptions options;
  httplib::Server server;
  int listen_socket = -1;
  std::atomic<bool> stopped = false;

  void configure();
  void answer(const Request& request, const httplib::Request& from, httplib::Response& to) const;
};

void Server::State::configure() {
  server.set_tcp_nodelay(true);
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_keep_alive_timeout(kIdleTimeoutS);
  server.set_keep_alive_max_count(kRequestsPerConnection);
  server.set_read_timeout(kReadTimeoutS);
  server.set_write_timeout(kWriteTimeoutS);
  server.set_payload_max_length(kMaxBodyBytes);
  // In place of the library's default, which sets SO_REUSEPORT: two servers would share one port unnoticed.
  server.set_socket_options([this](int socket) {
    listen_socket = socket;
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  // A part of a reply is of no use here, and the library would cut JSON and errors too. It hands out its own request,
  // which is not const, as const.
  server.set_pre_routing_handler([](const httplib::Request& from, httplib::Response&) {
    const_cast<httplib::Request&>(from).ranges.clear();  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return httplib::Server::HandlerResponse::Unhandled;
  });
  // Refusals are given after the body was read, never before: what is left unread would count as the next request.
  const auto without_body = [this](const httplib::Request& from, httplib::Response& to) {
    answer(to_request(from), from, to);
  };
  const auto with_body = [this](const httplib::Request& from, httplib::Response& to,
                                const httplib::ContentReader& reader) {
    Request request = to_request(from);
    read_body(reader, to, request);
    answer(request, from, to);
  };
  server.Get("[\\s\\S]*", without_body);
  server.Options("[\\s\\S]*", without_body);
  server.Post("[\\s\\S]*", with_body);
  server.Put("[\\s\\S]*", with_body);
  server.Patch("[\\s\\S]*", with_body);
  server.Delete("[\\s\\S]*", with_body);
  // What the library refuses by itself (a request line that is none, a body over the limit) has no body yet.
  server.set_error_handler([](const httplib::Request&, httplib::Response& to) {
    if (!to.body.empty() || to.has_header("Content-Security-Policy")) return;
    Response response = to.status == 413 ? refusal(413, "too_large", "the body is over the limit")
                                         : refusal(to.status, "malformed", "not a request that this server answers");
    add_security_headers(response);
    for (const auto& [name, value] : response.headers) to.set_header(name, value);
    to.set_content(response.body.data(), response.body.size(), response.content_type);
  });
  server.set_exception_handler([](const httplib::Request&, httplib::Response& to, auto&&...) {
    const Response response = refusal(500, "internal", "the server ran into a fault of its own, or out of memory");
    to.status = response.status;
    to.set_content(response.body.data(), response.body.size(), response.content_type);
  });
}

void Server::State::answer(const Request& request, const httplib::Request& from, httplib::Response& to) const {
  const Response response = options.handle(request);
  to_response(response, to);
  if (options.log) {
    options.log(from.method + " " + from.path + " " + std::to_string(response.status) + " " +
                std::to_string(response.body.size()) + " bytes");
  }
}

Server::Server(ServerOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->configure();
}

Server::~Server() = default;

void Server::set_handler(std::function<Response(const Request&)> handle) { state_->options.handle = std::move(handle); }

Result<int> Server::bind() {
  const ServerOptions& options = state_->options;
  errno = 0;
  const int port = options.port == 0 ? state_->server.bind_to_any_port(options.host)
                   : state_->server.bind_to_port(options.host, options.port) ? options.port
                                                                             : -1;
  if (port < 0) {
    return fail(ErrorCode::io, why_not_bound(errno, options),
                url_host(options.host) + ":" + std::to_string(options.port));
  }
  ::listen(state_->listen_socket, kBacklog);
  return port;
}

void Server::serve() { state_->server.listen_after_bind(); }

// The library asserts that it is stopped once; before it accepts, stopping does nothing and may be tried again.
void Server::stop() {
  if (state_->server.is_running() && !state_->stopped.exchange(true)) state_->server.stop();
}

}  // namespace td::app::http
