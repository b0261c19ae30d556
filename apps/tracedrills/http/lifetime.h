// Ends a server on SIGINT or SIGTERM: new connections stop at once, those in flight get a moment, then the process
// ends.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace td::app::http {

class StopOnSignal {
 public:
  // Blocks both signals for this thread and those that it starts from now on, and waits for them in one of its own.
  // stop: called until disarm(); must be safe to call from another thread, and more than once.
  explicit StopOnSignal(std::function<void()> stop);

  // After the server has ended by itself or by `stop`.
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  void wait();

  std::function<void()> stop_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace td::app::http
