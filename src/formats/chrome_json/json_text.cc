#include "formats/chrome_json/json_text.h"

#include <charconv>

namespace td::formats::chrome {
namespace {

constexpr size_t kFlushBytes = size_t{256} << 10;
constexpr std::string_view kSeparator = ",\n";

}  // namespace

JsonText& JsonText::integer(int64_t value) {
  char digits[24];
  const auto done = std::to_chars(digits, digits + sizeof digits, value);
  buffer_.append(digits, done.ptr);
  return *this;
}

JsonText& JsonText::microseconds(TimeNs ns) {
  if (ns < 0) buffer_ += '-';
  const TimeNs size_ns = ns < 0 ? -ns : ns;
  integer(size_ns / kNsPerUs);
  const TimeNs rest = size_ns % kNsPerUs;
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  buffer_.append(decimals, sizeof decimals);
  return *this;
}

Status JsonText::flush_some() {
  if (buffer_.size() < kFlushBytes) return {};
  TRY_OK(sink_.write(std::string_view(buffer_).substr(0, buffer_.size() - kSeparator.size())));
  buffer_.erase(0, buffer_.size() - kSeparator.size());
  return {};
}

void JsonText::end_list() {
  if (buffer_.ends_with(kSeparator)) buffer_.resize(buffer_.size() - kSeparator.size());
}

Status JsonText::finish() {
  TRY_OK(sink_.write(buffer_));
  buffer_.clear();
  return sink_.finish();
}

}  // namespace td::formats::chrome
