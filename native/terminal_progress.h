// One line of progress on standard error.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "base/io.h"

namespace td::native {

// Shows nothing unless standard error is a terminal and the work has taken 300 ms; takes its line away again at the
// end. May be called from several threads.
class TerminalProgress final : public Progress {
 public:
  TerminalProgress();
  ~TerminalProgress() override;
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  void report(std::string_view stage, int64_t done, int64_t total) override;

 private:
  std::mutex mutex_;
  bool is_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;  // when the line may be drawn again
};

// "reading rank0.json  42 %", or "reading rank0.json  12.3 MB" if the total is unknown. At most `width` bytes.
std::string progress_line(std::string_view stage, int64_t done, int64_t total, size_t width);

}  // namespace td::native
