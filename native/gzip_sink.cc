#include "native/gzip_sink.h"

#include <algorithm>
#include <limits>

namespace td::native {
namespace {

constexpr size_t kOutputBytes = size_t{128} << 10;
constexpr int kGzipWindow = 15 + 16;  // largest window, gzip header
constexpr int kMemoryLevel = 8;

}  // namespace

GzipSink::GzipSink(std::unique_ptr<Sink> packed) : packed_(std::move(packed)), output_(kOutputBytes) {
  deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY);
}

GzipSink::~GzipSink() { deflateEnd(&stream_); }

Status GzipSink::pack(int flush) {
  int state = Z_OK;
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
    stream_.avail_out = static_cast<uInt>(output_.size());
    state = deflate(&stream_, flush);
    TRY_OK(packed_->write({output_.data(), output_.size() - stream_.avail_out}));
  } while (stream_.avail_out == 0 || (flush == Z_FINISH && state == Z_OK));
  return {};
}

Status GzipSink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    // zlib reads through the pointer only.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(count);
    TRY_OK(pack(Z_NO_FLUSH));
    bytes.remove_prefix(count);
  }
  return {};
}

Status GzipSink::finish() {
  stream_.next_in = nullptr;
  stream_.avail_in = 0;
  TRY_OK(pack(Z_FINISH));
  return packed_->finish();
}

}  // namespace td::native
