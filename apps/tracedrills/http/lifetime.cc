#include "tracedrills/http/lifetime.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace td::app::http {
namespace {

// A stalled client may hold its thread for the read timeout, longer than anybody waits after Ctrl-C. Nothing is lost by
// leaving: the server keeps no state and writes no file.
constexpr auto kPatience = std::chrono::milliseconds(1500);
constexpr auto kPoll = std::chrono::milliseconds(10);

sigset_t stop_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

StopOnSignal::StopOnSignal(std::function<void()> stop) : stop_(std::move(stop)) {
  const sigset_t set = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { wait(); });
}

StopOnSignal::~StopOnSignal() {
  ended_ = true;
  // Blocked everywhere: it ends the thread's sigwait, not the thread.
  // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
  ::pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void StopOnSignal::wait() {
  const sigset_t set = stop_signals();
  int signal = 0;
  ::sigwait(&set, &signal);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  // More than once: a stop that comes before the server began to accept does nothing.
  while (!ended_) {
    if (std::chrono::steady_clock::now() > deadline) ::_exit(0);
    stop_();
    std::this_thread::sleep_for(kPoll);
  }
}

}  // namespace td::app::http
