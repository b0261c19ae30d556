#include "native/gzip_source.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace td::native {
namespace {

constexpr size_t kInputBytes = size_t{128} << 10;
constexpr int kGzipWindow = 15 + 16;  // largest window, gzip header expected

}  // namespace

bool is_gzip(std::string_view first_bytes) { return first_bytes.starts_with("\x1f\x8b"); }

GzipSource::GzipSource(std::unique_ptr<Source> packed) : packed_(std::move(packed)), input_(kInputBytes) {
  inflateInit2(&stream_, kGzipWindow);
}

GzipSource::~GzipSource() { inflateEnd(&stream_); }

std::unexpected<Error> GzipSource::damaged(const std::string& what) const {
  const int64_t at = packed_bytes_ - static_cast<int64_t>(stream_.avail_in);
  return fail(ErrorCode::malformed, "gzip: " + what + " at byte " + std::to_string(at) + " of the packed file",
              std::string(name()));
}

Result<bool> GzipSource::refill() {
  if (stream_.avail_in > 0) return true;
  const size_t count = TRY(packed_->read(input_));
  packed_bytes_ += static_cast<int64_t>(count);
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(count);
  return count > 0;
}

Result<size_t> GzipSource::read(std::span<char> into) {
  if (pending_) {
    Error error = std::move(*pending_);
    pending_.reset();
    return std::unexpected(std::move(error));
  }
  if (ended_ || into.empty()) return 0;
  const size_t room = std::min<size_t>(into.size(), std::numeric_limits<uInt>::max());
  stream_.next_out = reinterpret_cast<Bytef*>(into.data());
  stream_.avail_out = static_cast<uInt>(room);
  std::optional<Error> error;
  while (stream_.avail_out > 0 && !ended_) {
    const Result<bool> more = refill();
    if (!more || !*more) {
      ended_ = true;
      if (!more)
        error = more.error();
      else if (in_member_)
        error = damaged("the data end before the stream does").error();
      break;
    }
    if (!in_member_) {
      // Zeros or other bytes behind the last member are padding, as gzip itself takes them.
      if (*stream_.next_in != 0x1f) {
        ended_ = true;
        break;
      }
      inflateReset(&stream_);
      in_member_ = true;
    }
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      in_member_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      ended_ = true;
      error = damaged(stream_.msg != nullptr ? stream_.msg : "the data are damaged").error();
    }
  }
  const size_t count = room - stream_.avail_out;
  if (!error) return count;
  if (count == 0) return std::unexpected(std::move(*error));
  // Give out what there is; the next read() tells the error.
  pending_ = std::move(error);
  return count;
}

}  // namespace td::native
