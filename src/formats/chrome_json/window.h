// A sliding view of a Source: memory follows the longest single event, not the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "base/result.h"
#include "formats/chrome_json/scanner.h"

namespace td::formats::chrome {

class Window {
 public:
  // `source` and `progress` must outlive the window.
  Window(Source& source, Progress& progress);

  // What is loaded and not yet consumed. Views into it hold until the next load().
  Cursor cursor{};

  // Drops what stands before the cursor, loads until the window is full (so tiny chunks cost no rescans) and moves the
  // cursor along. Grows the window when the unconsumed rest already fills it. False at the end of the bytes, or when
  // the rest has reached kMaxRest: no single event of a real file does.
  // Errors: cancelled; io if the source failed before its first byte. A later failure ends the bytes, see read_error().
  Result<bool> load();

  // Loads until `bytes` stand at the cursor, as far as there are any.
  Status want(size_t bytes);

  // True once the source has no more bytes.
  [[nodiscard]] bool ended() const { return ended_; }
  // Offset of the cursor in the (unpacked) file.
  [[nodiscard]] int64_t offset() const { return dropped_ + (cursor.at - buffer_.data()); }
  // Why the source ended early; empty if it did not.
  [[nodiscard]] const std::string& read_error() const { return read_error_; }
  [[nodiscard]] bool any_bytes() const { return total_ > 0; }

  static constexpr size_t kWindowBytes = size_t{512} << 10;
  static constexpr size_t kMaxRest = size_t{32} << 20;

 private:
  Status fill(size_t from);

  Source& source_;
  Progress& progress_;
  std::string stage_;
  std::vector<char> buffer_;  // capacity + kPadding
  int64_t dropped_ = 0;       // bytes of the file before buffer_[0]
  int64_t total_ = 0;         // bytes read so far
  bool ended_ = false;
  std::string read_error_;
};

}  // namespace td::formats::chrome
