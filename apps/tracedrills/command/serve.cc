// tracedrills serve: the trainer's page and the API on this machine.
#include <httplib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "api/method.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/http/access.h"
#include "tracedrills/http/lifetime.h"
#include "tracedrills/http/server.h"
#include "tracedrills/http/site.h"
#include "tracedrills/version.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "serve";

struct Options {
  std::string host = "127.0.0.1";
  int port = 8420;
  bool open = false;
  bool verbose = false;
};

std::string url_of(const std::string& host, int port) {
  return "http://" + http::url_host(host) + ":" + std::to_string(port);
}

// Over HTTP nothing can be opened by name, whatever a method asks for.
Result<api::Reply> call_for_page(std::string_view method, const Json& request) {
  const auto refuse = [](std::string_view name) {
    return fail(ErrorCode::unsupported, "the server opens no files", std::string(name));
  };
  SerialExecutor executor;  // requests run beside each other already
  NoProgress progress;
  api::Io io;
  io.open_source = [&](std::string_view name) -> Result<std::unique_ptr<Source>> { return refuse(name); };
  io.open_sink = [&](std::string_view name) -> Result<std::unique_ptr<Sink>> { return refuse(name); };
  io.executor = &executor;
  io.progress = &progress;
  Result<api::Reply> reply = api::call(method, request, io);
  if (!reply && reply.error().code == ErrorCode::internal) {
    report_error(kName, {.code = ErrorCode::internal, .message = reply.error().text(), .where = std::string(method)});
  }
  return reply;
}

// The C library keeps what was freed, an arena a thread, and grows by every trace that 128 threads ever held. Two
// arenas are enough for the workers, large blocks go back at once, and the rest when no simulation runs or waits.
void limit_memory() {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, 2);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void return_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

std::string cache_key(std::string_view method, const Json& request) {
  for (const api::Method& one : api::all_methods()) {
    if (one.name == method && one.cache_key != nullptr) return one.cache_key(request).value_or("");
  }
  return "";
}

http::SiteOptions site_options(const Options& options, int port) {
  std::array<char, 256> machine{};
  ::gethostname(machine.data(), machine.size() - 1);
  http::SiteOptions site{.access = http::Access(options.host, port, machine.data()),
                         .version = version(),
                         .methods = {},
                         .queued = {},
                         .cache_key = cache_key,
                         .call = call_for_page,
                         .workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency())),
                         .on_idle = return_memory};
  for (const api::Method& method : api::all_methods()) {
    if (method.for_pages) site.methods.push_back(method.name);
    if (method.for_pages && method.simulates) site.queued.push_back(method.name);
  }
  return site;
}

// Whether the one who has the port is another tracedrills.
bool is_tracedrills(const Options& options) {
  httplib::Client client(options.host, options.port);
  client.set_connection_timeout(0, 300'000);
  client.set_read_timeout(0, 300'000);
  const auto reply = client.Get("/api/v1/");
  return reply && reply->body.find("\"server\":\"tracedrills\"") != std::string::npos;
}

int report_bind_error(const Options& options, Error error) {
  if (error.message.ends_with("is in use")) {
    error.message += is_tracedrills(options) ? " by another tracedrills; open " + url_of(options.host, options.port) +
                                                   ", or start a second one with --port N (0 picks a free one)"
                                             : "; take another with --port N (0 picks a free one)";
  }
  return report_error(kName, error);
}

// Hands the address to the desktop's browser, if there is a desktop.
void open_browser(std::string url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
    report_warning(kName,
                   "no desktop here to open a browser on; the address above works from any browser of this machine");
    return;
  }
  std::string program = "xdg-open";
  std::array<char*, 3> arguments = {program.data(), url.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  ::posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  ::posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&quiet);
  if (error != 0) {
    report_warning(kName, "xdg-open did not start; open the address above by hand");
    return;
  }
  std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();
}

int run(const Options& options) {
  limit_memory();  // before the first thread
  http::ServerOptions server_options{.host = options.host, .port = options.port, .handle = {}, .log = {}};
  if (options.verbose) {
    server_options.log = [](std::string_view line) { print_result(kName, std::string(line) + "\n"); };
  }
  http::Server server(std::move(server_options));
  const Result<int> port = server.bind();
  if (!port) return report_bind_error(options, port.error());

  http::Site site(site_options(options, *port));
  server.set_handler([&site](const http::Request& request) { return site.handle(request); });
  const http::StopOnSignal stop_on_signal([&server] { server.stop(); });

  const std::string url = url_of(http::is_any_address(options.host) ? "127.0.0.1" : options.host, *port);
  if (!http::is_loopback(options.host)) {
    report_warning(kName, "--host " + options.host +
                              " is not loopback: whoever reaches this machine can use the trainer, unencrypted");
  }
  const int printed = print_result(kName, "Trace Drills on " + url + " (Ctrl-C stops)\n");
  if (printed != kExitOk) return printed;
  if (options.open) open_browser(url);
  server.serve();
  return kExitOk;
}

}  // namespace

Command serve() {
  return {
      .name = kName,
      .summary = "the trainer in the browser, on this machine",
      .examples =
          "Examples:\n"
          "  tracedrills serve                             # on http://127.0.0.1:8420\n"
          "  tracedrills serve --open                      # and open a browser on it\n"
          "  tracedrills serve --port 0                    # on a free port, which is printed\n"
          "  tracedrills serve --host 0.0.0.0              # for a class: all who reach this machine\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand.add_option("--host", options->host, "Address or name to listen on")
            ->type_name("HOST")
            ->capture_default_str();
        subcommand.add_option("--port", options->port, "Port to listen on; 0 picks a free one")
            ->type_name("PORT")
            ->capture_default_str()
            ->check([](const std::string& text) {
              const bool number =
                  !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos;
              return number && std::stoi(text) <= 65535 ? std::string()
                                                        : "\"" + text + "\" is no port, expected 0 to 65535";
            });
        subcommand.add_flag("--open", options->open, "Open the page in the desktop's browser");
        subcommand.add_flag("--verbose", options->verbose, "Print a line for each request");
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
