// Characters of JSON, forgiving enough for what profilers really write: bare inf/nan/N/A, control characters in
// strings, unknown escapes. Works on a cursor into a window; every function says whether it needs more bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace td::formats::chrome {

// How a scan went. `more`: the window ended first; refill and scan again from the same place.
enum class Scan : uint8_t { ok, more, bad };

// Bytes [at, end) of a window. At least kPadding readable bytes follow `end`, all zero.
struct Cursor {
  const char* at = nullptr;
  const char* end = nullptr;
};
inline constexpr size_t kPadding = 32;

// The inside of a JSON string as it stands in the window; valid until the window is refilled.
struct Text {
  std::string_view raw;
  bool escaped = false;  // holds a backslash

  [[nodiscard]] bool empty() const { return raw.empty(); }
  [[nodiscard]] bool is(std::string_view text) const { return raw == text; }
};

// Any JSON value as text.
struct Value {
  enum class Kind : uint8_t { absent, string, scalar, array, object };
  Kind kind = Kind::absent;
  Text text;  // a string's inside, else the value as it stands

  [[nodiscard]] bool is_null() const { return kind == Kind::scalar && text.raw == "null"; }
};

inline void skip_space(Cursor& c) {
  while (static_cast<unsigned char>(*c.at) <= ' ' && c.at < c.end) ++c.at;
}

// At an opening quote; leaves the cursor after the closing one.
Scan scan_string(Cursor& c, Text& out);

// At the first byte of any value; leaves the cursor after it. Brackets are counted, not matched by kind.
Scan scan_value(Cursor& c, Value& out);
Scan skip_value(Cursor& c);

// Whole text -> int64, also from "0x1f"; nullopt if it is no integer or does not fit.
std::optional<int64_t> parse_int(std::string_view text);

// Decimal text times 10^places, exact: the digits go straight into an integer, a double never comes between.
// "1712197118381000.001" with places 3 gives 1712197118381000001. Exponents are taken; further digits round half away
// from zero. nullopt if the text is no number or the result does not fit in int64.
std::optional<int64_t> parse_scaled(std::string_view text, int places);

// A bare word that stands where a value should and that no JSON dialect knows (N/A).
bool is_unknown_word(std::string_view scalar);

// Appends the string that `text` means: escapes resolved, unknown ones kept with their backslash, bytes that are not
// UTF-8 replaced by U+FFFD. Sets the flags where something had to be mended.
struct Mending {
  bool bad_escape = false;
  bool bad_utf8 = false;
};
void decode(Text text, std::string& out, Mending& mending);

// True if `text` is pure ASCII, which needs neither check nor mending.
bool is_ascii(std::string_view text);

}  // namespace td::formats::chrome
