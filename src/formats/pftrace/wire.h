// Protocol buffers on the wire: as much of it as a trace needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace td::formats::perfetto {

// Appends fields to a message.
class Message {
 public:
  Message& varint(uint32_t field, uint64_t value);
  Message& fixed64(uint32_t field, uint64_t value);
  Message& real(uint32_t field, double value);
  Message& bytes(uint32_t field, std::string_view value);
  Message& message(uint32_t field, const Message& value) { return bytes(field, value.bytes_); }

  [[nodiscard]] std::string_view view() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

 private:
  void raw_varint(uint64_t value);
  std::string bytes_;
};

// Steps through a message's fields; never reads beyond it.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  // Goes to the next field; false at the end or where the bytes are no message (then broken() is true).
  bool next();
  [[nodiscard]] bool broken() const { return broken_; }

  [[nodiscard]] uint32_t field() const { return field_; }
  [[nodiscard]] bool is_bytes() const { return type_ == 2; }
  // Of a varint or fixed field; 0 for bytes.
  [[nodiscard]] uint64_t number() const { return number_; }
  [[nodiscard]] int64_t integer() const { return static_cast<int64_t>(number_); }
  // Of a fixed64 that holds a double.
  [[nodiscard]] double real() const;
  // Of a length-delimited field; empty otherwise.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  bool take_varint(uint64_t& value);
  bool take_fixed(size_t size);

  std::string_view rest_;
  bool broken_ = false;
  uint32_t field_ = 0;
  uint32_t type_ = 0;
  uint64_t number_ = 0;
  std::string_view bytes_;
};

}  // namespace td::formats::perfetto
