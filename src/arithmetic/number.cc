#include "arithmetic/number.h"

#include <array>
#include <string>

namespace td::arithmetic {
namespace {

constexpr int kMostExponent = 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::unexpected<Error> bad(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message), "answer");
}

double scaled(double value, int exponent) {
  for (; exponent > 0; --exponent) value *= 10;
  for (; exponent < 0; ++exponent) value /= 10;
  return value;
}

// An optional sign and digits; at most two of them count.
bool take_exponent(std::string_view& text, int& exponent) {
  std::string_view rest = text;
  const bool negative = take(rest, "-") || take(rest, "−");
  if (!negative) take(rest, "+");
  if (rest.empty() || !is_digit(rest.front())) return false;
  exponent = 0;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
    if (exponent < 1000) exponent = exponent * 10 + (rest.front() - '0');
  }
  if (negative) exponent = -exponent;
  text = rest;
  return true;
}

// "⁹", "⁻³".
bool take_superscript(std::string_view& text, int& exponent) {
  static constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string_view rest = text;
  const bool negative = take(rest, "⁻");
  int count = 0;
  exponent = 0;
  for (bool found = true; found;) {
    found = false;
    for (int digit = 0; digit < 10 && !found; ++digit) {
      if (!take(rest, kDigits[static_cast<size_t>(digit)])) continue;
      if (exponent < 1000) exponent = exponent * 10 + digit;
      ++count;
      found = true;
    }
  }
  if (count == 0) return false;
  if (negative) exponent = -exponent;
  text = rest;
  return true;
}

// Digits with thousands commas and a decimal point.
Result<double> take_decimal(std::string_view& text) {
  const std::string_view whole_text = text;
  double value = 0;
  int digits = 0;
  int exponent = 0;
  bool point = false;
  int since_comma = -1;
  while (!text.empty()) {
    const char c = text.front();
    if (is_digit(c)) {
      // Beyond 18 digits nothing changes what is compared.
      if (digits < 18) {
        value = value * 10 + (c - '0');
        if (point) --exponent;
      } else if (!point) {
        ++exponent;
      }
      if (digits > 0 || c != '0') ++digits;
      if (since_comma >= 0 && !point) ++since_comma;
    } else if (c == '.' && !point) {
      if (since_comma >= 0 && since_comma != 3) break;
      point = true;
    } else if (c == ',' && !point && text.size() > 1 && is_digit(text[1])) {
      if (since_comma >= 0 && since_comma != 3) break;
      since_comma = 0;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  if (since_comma >= 0 && since_comma != 3) {
    return bad(quote_short(whole_text) +
               ": a comma stands between thousands (1,300) and a point before decimals (1.3)");
  }
  return scaled(value, exponent);
}

bool starts_number(std::string_view text) {
  return !text.empty() && (is_digit(text.front()) || (text.front() == '.' && text.size() > 1 && is_digit(text[1])));
}

// A decimal with what may stand right behind it: "e9", "^20", "⁹".
Result<double> take_factor(std::string_view& text) {
  const std::string_view all = text;
  if (!starts_number(text)) {
    return bad(quote_short(all) + ": expected a number first, such as 1.3, 1,300, 3e9 or 2^20");
  }
  double value = TRY(take_decimal(text));
  int exponent = 0;
  std::string_view rest = text;
  if ((take(rest, "e") || take(rest, "E")) && take_exponent(rest, exponent)) {
    if (exponent > kMostExponent || exponent < -kMostExponent)
      return bad(quote_short(all) + ": the exponent is beyond ±40");
    value = scaled(value, exponent);
    text = rest;
    return value;
  }
  rest = text;
  const bool power =
      ((take(rest, "^") || take(rest, "**")) && take_exponent(rest, exponent)) || take_superscript(rest, exponent);
  if (!power) return value;
  if (exponent > 128 || exponent < -128) return bad(quote_short(all) + ": the exponent is beyond ±128");
  double product = 1;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) product *= value;
  if (exponent < 0 && product == 0) return bad(quote_short(all) + ": divides by 0");
  text = rest;
  return exponent < 0 ? 1 / product : product;
}

// "about", "~" and the like say nothing that grading could use.
std::string_view without_hedge(std::string_view text) {
  for (bool found = true; found;) {
    found = false;
    text = trimmed(text);
    for (const std::string_view hedge : {"~", "≈", "=", "about", "approximately", "approx.", "approx", "ca.", "ca ",
                                         "circa", "roughly", "around", "$", "+"}) {
      if (take(text, hedge)) found = true;
    }
  }
  return text;
}

}  // namespace

Result<Number> parse_number(std::string_view text) {
  const std::string_view all = trimmed(text);
  text = without_hedge(all);
  if (text.starts_with('-') || text.starts_with("−"))
    return bad(quote_short(all) + ": expected a number that is not negative");
  double value = TRY(take_factor(text));
  for (;;) {
    std::string_view rest = trimmed(text);
    // A sign of multiplication only where a number follows: "2x" is twice.
    const bool times = take(rest, "×") || take(rest, "·") || take(rest, "*") || take(rest, "x") || take(rest, "X");
    const bool over = !times && take(rest, "/");
    rest = trimmed(rest);
    if ((!times && !over) || !starts_number(rest)) break;
    const double factor = TRY(take_factor(rest));
    if (over && factor == 0) return bad(quote_short(all) + ": divides by 0");
    value = over ? value / factor : value * factor;
    text = rest;
  }
  if (!(value <= 1e40) || (value != 0 && value < 1e-40))
    return bad(quote_short(all) + ": expected a number within 1e±40");
  return Number{.value = value, .rest = trimmed(text)};
}

}  // namespace td::arithmetic
