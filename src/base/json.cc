#include "base/json.h"

#include <algorithm>
#include <limits>

namespace td {
namespace {

constexpr int kMaxDepth = 64;
constexpr int64_t kMillion = 1'000'000;

// Length of the well-formed UTF-8 sequence at the front of `text`, or 0.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  size_t length = 0;
  uint32_t low = 0;
  uint32_t code = 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2, code = lead & 0x1fU, low = 0x80;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3, code = lead & 0x0fU, low = 0x800;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4, code = lead & 0x07U, low = 0x10000;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  if (code < low || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return 0;
  return length;
}

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Json> document() {
    Json value = TRY(this->value(0));
    skip_space();
    if (at_ != text_.size()) return error("expected the end of the text");
    return value;
  }

 private:
  std::unexpected<Error> error(std::string message) const {
    return fail(ErrorCode::malformed, "JSON: " + std::move(message), "byte " + std::to_string(at_));
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Result<Json> value(int depth) {
    if (depth > kMaxDepth) return error("nested deeper than 64 levels");
    skip_space();
    if (at_ == text_.size()) return error("expected a value, found the end");
    const char c = text_[at_];
    if (c == '{') return object(depth);
    if (c == '[') return array(depth);
    if (c == '"') return Json::string(TRY(string()));
    if (c == '-' || (c >= '0' && c <= '9')) return number();
    if (take("true")) return Json::boolean(true);
    if (take("false")) return Json::boolean(false);
    if (take("null")) return Json();
    return error("expected a value");
  }

  Result<Json> object(int depth) {
    ++at_;
    Json out = Json::object();
    skip_space();
    if (take("}")) return out;
    while (true) {
      skip_space();
      if (at_ == text_.size() || text_[at_] != '"') return error("expected a member name");
      std::string key = TRY(string());
      skip_space();
      if (!take(":")) return error("expected ':'");
      out.set(key, TRY(value(depth + 1)));
      skip_space();
      if (take("}")) return out;
      if (!take(",")) return error("expected ',' or '}'");
    }
  }

  Result<Json> array(int depth) {
    ++at_;
    Json out = Json::array();
    skip_space();
    if (take("]")) return out;
    while (true) {
      out.push(TRY(value(depth + 1)));
      skip_space();
      if (take("]")) return out;
      if (!take(",")) return error("expected ',' or ']'");
    }
  }

  Result<uint32_t> hex4() {
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      uint32_t digit = 0;
      if (c >= '0' && c <= '9') {
        digit = static_cast<uint32_t>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<uint32_t>(c - 'a' + 10);
      } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<uint32_t>(c - 'A' + 10);
      } else {
        return error("expected four hex digits after \\u");
      }
      code = code * 16 + digit;
    }
    return code;
  }

  Result<std::string> string() {
    ++at_;
    std::string out;
    while (true) {
      if (at_ == text_.size()) return error("string without an end");
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return out;
      }
      if (static_cast<unsigned char>(c) < 0x20) return error("control character in a string");
      if (c != '\\') {
        out += c;
        ++at_;
        continue;
      }
      ++at_;
      const char e = at_ < text_.size() ? text_[at_++] : '\0';
      switch (e) {
        case '"':
          out += '"';
          break;
        case '\\':
          out += '\\';
          break;
        case '/':
          out += '/';
          break;
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case 't':
          out += '\t';
          break;
        case 'u': {
          uint32_t code = TRY(hex4());
          if (code >= 0xd800 && code < 0xdc00 && take("\\u")) {
            const uint32_t second = TRY(hex4());
            code = second >= 0xdc00 && second < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00) : 0xfffd;
          }
          if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
          append_utf8(out, code);
          break;
        }
        default:
          return error("unknown escape");
      }
    }
  }

  // Digits are gathered into an integer and a decimal exponent; nothing goes through double.
  Result<Json> number() {
    const bool negative = take("-");
    uint64_t digits = 0;
    int exponent = 0;  // value = digits * 10^exponent
    bool integral = true;
    bool any = false;
    const auto digit = [&](bool after_point) {
      any = true;
      if (digits > (UINT64_MAX - 9) / 10) {
        exponent += after_point ? 0 : 1;
      } else {
        digits = digits * 10 + static_cast<uint64_t>(text_[at_] - '0');
        exponent -= after_point ? 1 : 0;
      }
      ++at_;
    };
    const auto is_digit = [&] { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; };
    if (at_ + 1 < text_.size() && text_[at_] == '0' && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9')
      return error("a number must not begin with 0");
    while (is_digit()) digit(false);
    if (!any) return error("expected a digit");
    if (take(".")) {
      integral = false;
      if (!is_digit()) return error("expected a digit after '.'");
      while (is_digit()) digit(true);
    }
    if (take("e") || take("E")) {
      integral = false;
      const bool minus = take("-");
      if (!minus) take("+");
      if (!is_digit()) return error("expected a digit in the exponent");
      int e = 0;
      for (; is_digit(); ++at_) e = std::min(e * 10 + (text_[at_] - '0'), 10'000);
      exponent += minus ? -e : e;
    }
    if (!integral) exponent += 6;  // to millionths
    constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    for (; exponent > 0 && digits != 0; --exponent) digits = digits > kMax / 10 ? UINT64_MAX : digits * 10;
    int dropped = 0;
    for (; exponent < 0 && digits != 0; ++exponent) {
      dropped = static_cast<int>(digits % 10);
      digits /= 10;
    }
    if (exponent == 0 && dropped >= 5) ++digits;
    // The range of int64 is one wider below zero.
    const uint64_t magnitude = std::min(digits, negative ? kMax + 1 : kMax);
    const auto value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
    return integral ? Json::integer(value) : Json::fraction(value);
  }

  std::string_view text_;
  size_t at_ = 0;
};

void append_fraction(std::string& out, int64_t millionths) {
  const bool negative = millionths < 0;
  const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(millionths) : static_cast<uint64_t>(millionths);
  std::string decimals = std::to_string(magnitude % kMillion);
  decimals.insert(0, 6 - decimals.size(), '0');
  if (negative) out += '-';
  out += std::to_string(magnitude / kMillion);
  out += '.';
  out += decimals;
}

void append_json(std::string& out, const Json& value, int indent, int level) {
  const auto new_line = [&](int at_level) {
    if (indent == 0) return;
    out += '\n';
    out.append(static_cast<size_t>(indent) * static_cast<size_t>(at_level), ' ');
  };
  switch (value.kind()) {
    case Json::Kind::null:
      out += "null";
      return;
    case Json::Kind::boolean:
      out += value.as_bool() ? "true" : "false";
      return;
    case Json::Kind::integer:
      out += std::to_string(value.as_int());
      return;
    case Json::Kind::fraction:
      append_fraction(out, value.as_millionths());
      return;
    case Json::Kind::string:
      out += quote_json(value.as_string());
      return;
    case Json::Kind::array: {
      out += '[';
      bool first = true;
      for (const Json& item : value.items()) {
        if (!first) out += ',';
        first = false;
        new_line(level + 1);
        append_json(out, item, indent, level + 1);
      }
      if (!first) new_line(level);
      out += ']';
      return;
    }
    case Json::Kind::object: {
      out += '{';
      bool first = true;
      for (const auto& [key, member] : value.members()) {
        if (!first) out += ',';
        first = false;
        new_line(level + 1);
        out += quote_json(key);
        out += indent == 0 ? ":" : ": ";
        append_json(out, member, indent, level + 1);
      }
      if (!first) new_line(level);
      out += '}';
      return;
    }
  }
}

}  // namespace

Json Json::boolean(bool value) {
  Json json;
  json.kind_ = Kind::boolean;
  json.number_ = value ? 1 : 0;
  return json;
}

Json Json::integer(int64_t value) {
  Json json;
  json.kind_ = Kind::integer;
  json.number_ = value;
  return json;
}

Json Json::fraction(int64_t millionths) {
  Json json;
  json.kind_ = Kind::fraction;
  json.number_ = millionths;
  return json;
}

Json Json::string(std::string_view value) {
  Json json;
  json.kind_ = Kind::string;
  json.string_ = value;
  return json;
}

Json Json::array() {
  Json json;
  json.kind_ = Kind::array;
  return json;
}

Json Json::object() {
  Json json;
  json.kind_ = Kind::object;
  return json;
}

bool Json::as_bool(bool otherwise) const { return kind_ == Kind::boolean ? number_ != 0 : otherwise; }

int64_t Json::as_int(int64_t otherwise) const {
  if (kind_ == Kind::integer) return number_;
  if (kind_ == Kind::fraction) return number_ / kMillion;
  return otherwise;
}

int64_t Json::as_millionths(int64_t otherwise) const {
  if (kind_ == Kind::fraction) return number_;
  if (kind_ != Kind::integer) return otherwise;
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / kMillion;
  return std::clamp(number_, -kMax, kMax) * kMillion;
}

std::string_view Json::as_string(std::string_view otherwise) const {
  return kind_ == Kind::string ? std::string_view(string_) : otherwise;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  for (auto it = members_.rbegin(); it != members_.rend(); ++it)
    if (it->first == key) return it->second;
  return kNull;
}

Json& Json::push(Json value) {
  if (kind_ == Kind::null) kind_ = Kind::array;
  items_.push_back(std::move(value));
  return *this;
}

Json& Json::set(std::string_view key, Json value) {
  if (kind_ == Kind::null) kind_ = Kind::object;
  members_.emplace_back(std::string(key), std::move(value));
  return *this;
}

std::string Json::dump(int indent) const {
  std::string out;
  append_json(out, *this, indent, 0);
  return out;
}

Result<Json> parse_json(std::string_view text) { return Parser(text).document(); }

std::string quote_json(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const auto code = static_cast<unsigned char>(c);
    size_t length = 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      out += "\\u00";
      out += kHex[code >> 4];
      out += kHex[code & 15];
    } else {
      length = utf8_length(text);
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        length = 1;
      } else {
        out.append(text.substr(0, length));
      }
    }
    text.remove_prefix(length);
  }
  out += '"';
  return out;
}

}  // namespace td
