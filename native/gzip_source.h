// gzip unpacked on the way in.
#pragma once

#include <zlib.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/io.h"

namespace td::native {

// True if the bytes begin as gzip does.
bool is_gzip(std::string_view first_bytes);

// Unpacks `packed`; several members in a row are one stream. What was unpacked before damage or a missing end is given
// out first, then read() fails once with `malformed` and the offset in the packed file.
class GzipSource final : public Source {
 public:
  explicit GzipSource(std::unique_ptr<Source> packed);
  ~GzipSource() override;
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<size_t> read(std::span<char> into) override;
  [[nodiscard]] std::string_view name() const override { return packed_->name(); }

 private:
  Result<bool> refill();
  std::unexpected<Error> damaged(const std::string& what) const;

  std::unique_ptr<Source> packed_;
  std::vector<char> input_;
  z_stream stream_{};
  int64_t packed_bytes_ = 0;  // read from packed_ so far
  bool in_member_ = true;     // false between two members
  bool ended_ = false;
  std::optional<Error> pending_;  // told by the next read()
};

}  // namespace td::native
