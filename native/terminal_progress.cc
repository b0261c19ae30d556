#include "native/terminal_progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace td::native {
namespace {

constexpr std::chrono::milliseconds kFirst{300};
constexpr std::chrono::milliseconds kBetween{100};
constexpr size_t kWidth = 78;
constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

std::string progress_line(std::string_view stage, int64_t done, int64_t total, size_t width) {
  std::string amount = "  ";
  if (total > 0) {
    amount += std::to_string(std::min<int64_t>(100, done * 100 / total)) + " %";
  } else {
    amount += std::to_string(done / 1'000'000) + "." + std::to_string(done / 100'000 % 10) + " MB";
  }
  const size_t room = width > amount.size() ? width - amount.size() : 0;
  // The end of a path tells more than its beginning.
  std::string text(stage);
  if (text.size() > room) text = room > 3 ? "..." + text.substr(text.size() - (room - 3)) : std::string();
  return text + amount;
}

TerminalProgress::TerminalProgress()
    : is_terminal_(isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now() + kFirst) {}

TerminalProgress::~TerminalProgress() {
  if (shown_) std::fwrite(kClearLine.data(), 1, kClearLine.size(), stderr);
}

void TerminalProgress::report(std::string_view stage, int64_t done, int64_t total) {
  if (!is_terminal_) return;
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kBetween;
  shown_ = true;
  const std::string line = std::string(kClearLine) + progress_line(stage, done, total, kWidth);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace td::native
