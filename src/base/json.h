// Small JSON for requests, answers and fact files: integers stay integers, fractions are scaled integers.
//
// Not for traces: those are scanned by formats/chrome_json without building values. Output is deterministic: object
// members keep the order in which they were added; a fraction is printed with six decimals from an integer number of
// millionths, so native and WASM answers are byte-identical.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace td {

class Json {
 public:
  enum class Kind : uint8_t { null, boolean, integer, fraction, string, array, object };
  using Member = std::pair<std::string, Json>;

  Json() = default;  // null
  static Json boolean(bool value);
  static Json integer(int64_t value);
  // `millionths` / 1e6, e.g. fraction(930000) prints 0.930000.
  static Json fraction(int64_t millionths);
  static Json string(std::string_view value);
  static Json array();
  static Json object();

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }

  // The value, or `otherwise` when it is of another kind. as_millionths takes integers and fractions.
  [[nodiscard]] bool as_bool(bool otherwise = false) const;
  [[nodiscard]] int64_t as_int(int64_t otherwise = 0) const;
  [[nodiscard]] int64_t as_millionths(int64_t otherwise = 0) const;
  [[nodiscard]] std::string_view as_string(std::string_view otherwise = {}) const;

  // Elements of an array (empty for other kinds).
  [[nodiscard]] const std::vector<Json>& items() const { return items_; }
  // Members of an object in their order (empty for other kinds).
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  // The member of that name (the last, if it was given twice), or a null value.
  [[nodiscard]] const Json& operator[](std::string_view key) const;

  // Builders; they return *this. push turns a null into an array, set a null into an object.
  Json& push(Json value);
  Json& set(std::string_view key, Json value);

  // Text without white space (indent 0) or pretty-printed.
  [[nodiscard]] std::string dump(int indent = 0) const;

 private:
  Kind kind_ = Kind::null;
  int64_t number_ = 0;  // integer, millionths or boolean
  std::string string_;
  std::vector<Json> items_;
  std::vector<Member> members_;
};

// Strict JSON, at most 64 levels deep. malformed with the byte offset. Numbers beyond int64 or with more than six
// decimals are rounded to the nearest millionth and clamped.
Result<Json> parse_json(std::string_view text);

// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string quote_json(std::string_view text);

}  // namespace td
