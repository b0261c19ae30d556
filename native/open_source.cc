#include "native/open_source.h"

#include <algorithm>

#include "native/file.h"
#include "native/gzip_source.h"

namespace td::native {
namespace {

// Gives out the bytes that were looked at, then the rest.
class PeekedSource final : public Source {
 public:
  PeekedSource(std::string front, std::unique_ptr<Source> rest) : front_(std::move(front)), rest_(std::move(rest)) {}

  Result<size_t> read(std::span<char> into) override {
    if (at_ == front_.size()) return rest_->read(into);
    const size_t count = std::min(into.size(), front_.size() - at_);
    std::copy_n(front_.data() + at_, count, into.data());
    at_ += count;
    return count;
  }
  [[nodiscard]] std::string_view name() const override { return rest_->name(); }
  [[nodiscard]] int64_t size_bytes() const override { return rest_->size_bytes(); }
  Result<Database*> database() override { return rest_->database(); }

 private:
  std::string front_;
  size_t at_ = 0;
  std::unique_ptr<Source> rest_;
};

}  // namespace

Result<std::unique_ptr<Source>> open_source(const std::string& path) {
  std::unique_ptr<Source> file = TRY(FileSource::open(path));
  std::string front;
  while (front.size() < 2) {
    char byte = 0;
    if (TRY(file->read(std::span<char>(&byte, 1))) == 0) break;
    front += byte;
  }
  const bool packed = is_gzip(front);
  std::unique_ptr<Source> whole = std::make_unique<PeekedSource>(std::move(front), std::move(file));
  if (packed) whole = std::make_unique<GzipSource>(std::move(whole));
  return whole;
}

}  // namespace td::native
