#include "base/io.h"

#include <algorithm>
#include <cstring>

namespace td {

Result<size_t> MemorySource::read(std::span<char> into) {
  const size_t count = std::min({into.size(), bytes_.size() - at_, max_chunk_});
  if (count > 0) std::memcpy(into.data(), bytes_.data() + at_, count);
  at_ += count;
  return count;
}

Status StringSink::write(std::string_view bytes) {
  out_->append(bytes);
  return {};
}

}  // namespace td
