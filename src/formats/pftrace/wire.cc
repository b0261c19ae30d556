#include "formats/pftrace/wire.h"

#include <bit>

namespace td::formats::perfetto {

void Message::raw_varint(uint64_t value) {
  for (; value > 127; value >>= 7) bytes_ += static_cast<char>((value & 127) | 128);
  bytes_ += static_cast<char>(value);
}

Message& Message::varint(uint32_t field, uint64_t value) {
  raw_varint(uint64_t{field} << 3);
  raw_varint(value);
  return *this;
}

Message& Message::fixed64(uint32_t field, uint64_t value) {
  raw_varint((uint64_t{field} << 3) | 1);
  for (int byte = 0; byte < 8; ++byte) bytes_ += static_cast<char>((value >> (8 * byte)) & 255);
  return *this;
}

Message& Message::real(uint32_t field, double value) { return fixed64(field, std::bit_cast<uint64_t>(value)); }

Message& Message::bytes(uint32_t field, std::string_view value) {
  raw_varint((uint64_t{field} << 3) | 2);
  raw_varint(value.size());
  bytes_ += value;
  return *this;
}

bool Fields::take_varint(uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 70 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    if (shift < 64) value |= uint64_t{byte & 127U} << shift;
    if (byte < 128) return true;
  }
  return false;
}

bool Fields::take_fixed(size_t size) {
  if (rest_.size() < size) return false;
  for (size_t byte = 0; byte < size; ++byte) number_ |= uint64_t{static_cast<unsigned char>(rest_[byte])} << (8 * byte);
  rest_.remove_prefix(size);
  return true;
}

bool Fields::next() {
  number_ = 0;
  bytes_ = {};
  if (rest_.empty() || broken_) return false;
  uint64_t tag = 0;
  bool good = take_varint(tag) && (tag >> 3) != 0 && (tag >> 3) < (uint64_t{1} << 29);
  field_ = static_cast<uint32_t>(tag >> 3);
  type_ = static_cast<uint32_t>(tag & 7);
  if (good) {
    uint64_t length = 0;
    switch (type_) {
      case 0:
        good = take_varint(number_);
        break;
      case 1:
        good = take_fixed(8);
        break;
      case 2:
        good = take_varint(length) && length <= rest_.size();
        if (good) {
          bytes_ = rest_.substr(0, static_cast<size_t>(length));
          rest_.remove_prefix(static_cast<size_t>(length));
        }
        break;
      case 5:
        good = take_fixed(4);
        break;
      default:
        good = false;
    }
  }
  broken_ = !good;
  return good;
}

double Fields::real() const { return std::bit_cast<double>(number_); }

}  // namespace td::formats::perfetto
