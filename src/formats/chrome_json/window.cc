#include "formats/chrome_json/window.h"

#include <cstring>
#include <span>

namespace td::formats::chrome {

Window::Window(Source& source, Progress& progress)
    : source_(source),
      progress_(progress),
      stage_("reading " + std::string(source.name())),
      buffer_(kWindowBytes + kPadding, '\0') {
  cursor = {buffer_.data(), buffer_.data()};
}

Result<bool> Window::load() {
  const size_t rest = static_cast<size_t>(cursor.end - cursor.at);
  if (ended_ || rest >= kMaxRest) return false;
  dropped_ += cursor.at - buffer_.data();
  std::memmove(buffer_.data(), cursor.at, rest);
  if (rest * 2 > buffer_.size() - kPadding) buffer_.resize((buffer_.size() - kPadding) * 2 + kPadding, '\0');
  const int64_t before = total_;
  TRY_OK(fill(rest));
  return total_ > before;
}

Status Window::fill(size_t from) {
  const size_t capacity = buffer_.size() - kPadding;
  size_t size = from;
  while (size < capacity) {
    Result<size_t> count = source_.read(std::span<char>(buffer_.data() + size, capacity - size));
    if (!count) {
      if (total_ == 0) return std::unexpected(std::move(count).error());
      read_error_ = count.error().text();
      ended_ = true;
      break;
    }
    if (*count == 0) {
      ended_ = true;
      break;
    }
    size += *count;
    total_ += static_cast<int64_t>(*count);
  }
  std::memset(buffer_.data() + size, 0, kPadding);
  cursor = {buffer_.data(), buffer_.data() + size};
  progress_.report(stage_, total_, source_.size_bytes());
  if (progress_.cancelled()) return fail(ErrorCode::cancelled, "reading was cancelled", std::string(source_.name()));
  return {};
}

Status Window::want(size_t bytes) {
  while (static_cast<size_t>(cursor.end - cursor.at) < bytes)
    if (!TRY(load())) break;
  return {};
}

}  // namespace td::formats::chrome
