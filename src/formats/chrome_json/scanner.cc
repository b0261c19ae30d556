#include "formats/chrome_json/scanner.h"

#include <array>
#include <bit>
#include <limits>

namespace td::formats::chrome {
namespace {

static_assert(std::endian::native == std::endian::little, "the word scan below reads the lowest byte first");

constexpr uint64_t kOnes = 0x0101010101010101ULL;
constexpr uint64_t kHighs = 0x8080808080808080ULL;

uint64_t load_word(const char* at) {
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

constexpr uint64_t zero_bytes(uint64_t word) { return (word - kOnes) & ~word & kHighs; }

// First quote or backslash in [at, end), or end. May read up to seven bytes of padding.
const char* find_quote_or_backslash(const char* at, const char* end) {
  for (; at < end; at += 8) {
    const uint64_t word = load_word(at);
    const uint64_t hits = zero_bytes(word ^ (kOnes * '"')) | zero_bytes(word ^ (kOnes * '\\'));
    if (hits == 0) continue;
    const char* hit = at + (std::countr_zero(hits) >> 3);
    return hit < end ? hit : end;
  }
  return end;
}

// Classes of bytes outside strings.
constexpr uint8_t kPlain = 0;
constexpr uint8_t kQuote = 1;
constexpr uint8_t kOpen = 2;
constexpr uint8_t kClose = 3;
constexpr uint8_t kEndsScalar = 4;

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> table{};
  table['"'] = kQuote;
  table['['] = table['{'] = kOpen;
  table[']'] = table['}'] = kClose;
  table[','] = table[':'] = kEndsScalar;
  for (int c = 0; c <= ' '; ++c) table[static_cast<size_t>(c)] = kEndsScalar;
  return table;
}
constexpr std::array<uint8_t, 256> kClass = make_classes();

uint8_t class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

// At the opening bracket of an array or object.
Scan skip_nested(Cursor& c) {
  int64_t depth = 0;
  while (c.at < c.end) {
    switch (class_of(*c.at)) {
      case kQuote: {
        Text inside;
        if (const Scan scan = scan_string(c, inside); scan != Scan::ok) return scan;
        continue;
      }
      case kOpen:
        ++depth;
        break;
      case kClose:
        if (--depth == 0) {
          ++c.at;
          return Scan::ok;
        }
        break;
      default:
        break;
    }
    ++c.at;
  }
  return Scan::more;
}

Scan skip_scalar(Cursor& c) {
  const char* start = c.at;
  while (class_of(*c.at) == kPlain) ++c.at;  // the padding ends it
  if (c.at >= c.end) {
    c.at = start;
    return Scan::more;
  }
  return c.at == start ? Scan::bad : Scan::ok;
}

void append_utf8(uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}
constexpr uint32_t kReplacement = 0xFFFD;

// Four hexadecimal digits at `at`, or -1.
int32_t hex4(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    int32_t digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// \uXXXX at `at` (the backslash), perhaps half of a surrogate pair. Returns the bytes used, 0 if it is no escape.
size_t decode_unicode(std::string_view text, size_t at, std::string& out, Mending& mending) {
  const int32_t first = hex4(text, at + 2);
  if (first < 0) return 0;
  if (first < 0xD800 || first > 0xDFFF) {
    append_utf8(static_cast<uint32_t>(first), out);
    return 6;
  }
  if (first < 0xDC00 && text.substr(at + 6, 2) == "\\u") {
    const int32_t second = hex4(text, at + 8);
    if (second >= 0xDC00 && second <= 0xDFFF) {
      append_utf8(0x10000U + ((static_cast<uint32_t>(first) - 0xD800U) << 10) + static_cast<uint32_t>(second) - 0xDC00U,
                  out);
      return 12;
    }
  }
  mending.bad_utf8 = true;
  append_utf8(kReplacement, out);
  return 6;
}

// One escape at `at` (the backslash). Returns the bytes used.
size_t decode_escape(std::string_view text, size_t at, std::string& out, Mending& mending) {
  const char letter = at + 1 < text.size() ? text[at + 1] : '\0';
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      out += letter;
      return 2;
    case 'b':
      out += '\b';
      return 2;
    case 'f':
      out += '\f';
      return 2;
    case 'n':
      out += '\n';
      return 2;
    case 'r':
      out += '\r';
      return 2;
    case 't':
      out += '\t';
      return 2;
    case 'u':
      if (const size_t used = decode_unicode(text, at, out, mending); used > 0) return used;
      break;
    default:
      break;
  }
  mending.bad_escape = true;  // "torch\cuda\__init__.py" of Windows traces: the backslash was meant
  out += '\\';
  return 1;
}

// Length of the UTF-8 sequence at `at`, 0 if it is not one (also overlong forms and surrogates).
size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint32_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// value * 10 + digit, or false on overflow.
bool push_digit(uint64_t& value, char digit) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  const uint64_t add = static_cast<uint64_t>(digit - '0');
  if (value > (kMax - add) / 10) return false;
  value = value * 10 + add;
  return true;
}

// The parts of a decimal number: digits without the point, and where the point stands.
struct Decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  int64_t exponent = 0;
};

std::optional<Decimal> split_decimal(std::string_view text) {
  Decimal out;
  size_t at = 0;
  const auto digits = [&] {
    const size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return text.substr(start, at - start);
  };
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) out.negative = text[at++] == '-';
  out.whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    out.fraction = digits();
  }
  if (out.whole.empty() && out.fraction.empty()) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    bool down = false;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) down = text[at++] == '-';
    const std::string_view power = digits();
    if (power.empty() || power.size() > 4) return std::nullopt;
    for (char c : power) out.exponent = out.exponent * 10 + (c - '0');
    if (down) out.exponent = -out.exponent;
  }
  if (at != text.size()) return std::nullopt;
  return out;
}

// The general case: exponents, many decimals. Walks the digits and stops at the wanted place.
std::optional<int64_t> scale_decimal(const Decimal& d, int places) {
  const auto digit = [&](size_t i) { return i < d.whole.size() ? d.whole[i] : d.fraction[i - d.whole.size()]; };
  const size_t digits = d.whole.size() + d.fraction.size();
  const int64_t wanted = static_cast<int64_t>(d.whole.size()) + d.exponent + places;
  uint64_t value = 0;
  for (int64_t i = 0; i < wanted; ++i) {
    const char next = static_cast<size_t>(i) < digits ? digit(static_cast<size_t>(i)) : '0';
    if (next == '0' && value == 0 && static_cast<size_t>(i) >= digits) break;  // zero stays zero
    if (!push_digit(value, next)) return std::nullopt;
  }
  if (wanted >= 0 && static_cast<size_t>(wanted) < digits && digit(static_cast<size_t>(wanted)) >= '5') ++value;
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return d.negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

}  // namespace

Scan scan_string(Cursor& c, Text& out) {
  const char* start = c.at + 1;
  const char* at = start;
  bool escaped = false;
  while (true) {
    at = find_quote_or_backslash(at, c.end);
    if (at >= c.end) return Scan::more;
    if (*at == '"') break;
    escaped = true;
    at += 2;
  }
  out.raw = std::string_view(start, static_cast<size_t>(at - start));
  out.escaped = escaped;
  c.at = at + 1;
  return Scan::ok;
}

Scan scan_value(Cursor& c, Value& out) {
  if (c.at >= c.end) return Scan::more;
  if (*c.at == '"') {
    out.kind = Value::Kind::string;
    return scan_string(c, out.text);
  }
  const char* start = c.at;
  const bool nested = class_of(*start) == kOpen;
  const Scan scan = nested ? skip_nested(c) : skip_scalar(c);
  if (scan != Scan::ok) return scan;
  out.kind = !nested ? Value::Kind::scalar : *start == '[' ? Value::Kind::array : Value::Kind::object;
  out.text = {std::string_view(start, static_cast<size_t>(c.at - start)), false};
  return Scan::ok;
}

Scan skip_value(Cursor& c) {
  if (c.at >= c.end) return Scan::more;
  if (*c.at == '"') {
    Text inside;
    return scan_string(c, inside);
  }
  return class_of(*c.at) == kOpen ? skip_nested(c) : skip_scalar(c);
}

std::optional<int64_t> parse_int(std::string_view text) {
  if (text.starts_with("0x")) {
    if (text.size() < 3 || text.size() > 17) return std::nullopt;
    int64_t value = 0;
    for (char c : text.substr(2)) {
      int digit = is_digit(c) ? c - '0' : -1;
      if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
      if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
      if (digit < 0 || value > (std::numeric_limits<int64_t>::max() >> 4)) return std::nullopt;
      value = (value << 4) | digit;
    }
    return value;
  }
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (char c : text)
    if (!is_digit(c) || !push_digit(value, c)) return std::nullopt;
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

std::optional<int64_t> parse_scaled(std::string_view text, int places) {
  // The common case first: up to 16 whole digits and three decimals fit in 64 bits without a sign.
  constexpr size_t kMaxDigits = 16;
  size_t at = 0;
  uint64_t value = 0;
  while (at < text.size() && at <= kMaxDigits && is_digit(text[at]))
    value = value * 10 + static_cast<uint64_t>(text[at++] - '0');
  if (at > 0 && at <= kMaxDigits && places <= 3) {
    int left = places;
    if (at < text.size() && text[at] == '.')
      for (++at; at < text.size() && left > 0 && is_digit(text[at]); --left)
        value = value * 10 + static_cast<uint64_t>(text[at++] - '0');
    if (at == text.size()) {
      for (; left > 0; --left) value *= 10;
      if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return static_cast<int64_t>(value);
      return std::nullopt;
    }
  }
  const std::optional<Decimal> decimal = split_decimal(text);
  return decimal ? scale_decimal(*decimal, places) : std::nullopt;
}

bool is_unknown_word(std::string_view scalar) {
  static constexpr std::array kKnown = {
      std::string_view("null"),      std::string_view("true"), std::string_view("false"), std::string_view("NaN"),
      std::string_view("-NaN"),      std::string_view("nan"),  std::string_view("-nan"),  std::string_view("inf"),
      std::string_view("Infinity"),  std::string_view("-inf"), std::string_view("Inf"),   std::string_view("-Inf"),
      std::string_view("-Infinity"),
  };
  for (std::string_view known : kKnown)
    if (scalar == known) return false;
  return !split_decimal(scalar).has_value();
}

void decode(Text text, std::string& out, Mending& mending) {
  const std::string_view raw = text.raw;
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] == '\\' && text.escaped) {
      at += decode_escape(raw, at, out, mending);
      continue;
    }
    const size_t length = utf8_length(raw, at);
    if (length == 0) {
      mending.bad_utf8 = true;
      append_utf8(kReplacement, out);
      ++at;
      continue;
    }
    out.append(raw.substr(at, length));
    at += length;
  }
}

bool is_ascii(std::string_view text) {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8)
    if ((load_word(text.data() + at) & kHighs) != 0) return false;
  for (; at < text.size(); ++at)
    if (static_cast<unsigned char>(text[at]) >= 0x80) return false;
  return true;
}

}  // namespace td::formats::chrome
