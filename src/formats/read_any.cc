#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "formats/content_name.h"
#include "formats/format.h"

namespace td::formats {
namespace {

constexpr size_t kSniffBytes = size_t{64} << 10;

// Gives the sniffed bytes out again before the rest, and an early error in its place.
class ReplaySource final : public Source {
 public:
  explicit ReplaySource(Source& rest) : rest_(rest) {}

  // Reads ahead, as far as there is anything. An error is kept for its turn unless it comes first.
  Status read_ahead() {
    std::vector<char> chunk(kSniffBytes);
    while (front_.size() < kSniffBytes) {
      Result<size_t> count = rest_.read(std::span<char>(chunk.data(), kSniffBytes - front_.size()));
      if (!count && front_.empty()) return std::unexpected(std::move(count).error());
      if (!count) {
        error_ = std::move(count).error();
        break;
      }
      if (*count == 0) break;
      front_.append(chunk.data(), *count);
    }
    return {};
  }
  [[nodiscard]] std::string_view front() const { return front_; }

  Result<size_t> read(std::span<char> into) override {
    if (at_ < front_.size()) {
      const size_t count = std::min(into.size(), front_.size() - at_);
      std::copy_n(front_.data() + at_, count, into.data());
      at_ += count;
      return count;
    }
    if (error_) return std::unexpected(*error_);
    return rest_.read(into);
  }
  [[nodiscard]] std::string_view name() const override { return rest_.name(); }
  [[nodiscard]] int64_t size_bytes() const override { return rest_.size_bytes(); }
  Result<Database*> database() override { return rest_.database(); }

 private:
  Source& rest_;
  std::string front_;
  size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<trace::RankTrace>> read_any(Source& source, Progress& progress) {
  ReplaySource replay(source);
  TRY_OK(replay.read_ahead());
  const Format* chosen = nullptr;
  std::string known;
  for (const Format& format : registered_formats()) {
    known += (known.empty() ? "" : ", ") + std::string(format.title);
    if (format.sniff == nullptr || format.read == nullptr || !format.sniff(replay.front())) continue;
    if (chosen == nullptr || format.precedence < chosen->precedence) chosen = &format;
  }
  if (chosen != nullptr) return chosen->read(replay, progress);
  return fail(ErrorCode::unsupported, "this is " + name_content(replay.front()) + "; what can be read: " + known,
              std::string(source.name()));
}

}  // namespace td::formats
