#include "arithmetic/typed_unit.h"

#include <algorithm>
#include <array>
#include <string>

namespace td::arithmetic {
namespace {

struct Word {
  std::string_view text;  // small letters
  double scale = 1;
  Base base = Base::byte;
};

constexpr std::array kWords = {
    Word{"byte", 1, Base::byte},
    Word{"bytes", 1, Base::byte},
    Word{"bit", 0.125, Base::byte},
    Word{"bits", 0.125, Base::byte},
    Word{"flop", 1, Base::flop},
    Word{"flops", 1, Base::flop},
    Word{"op", 1, Base::flop},
    Word{"ops", 1, Base::flop},
    Word{"f", 1, Base::flop},
    Word{"s", 1, Base::second},
    Word{"sec", 1, Base::second},
    Word{"secs", 1, Base::second},
    Word{"second", 1, Base::second},
    Word{"seconds", 1, Base::second},
    Word{"min", 60, Base::second},
    Word{"mins", 60, Base::second},
    Word{"minute", 60, Base::second},
    Word{"minutes", 60, Base::second},
    Word{"h", 3600, Base::second},
    Word{"hr", 3600, Base::second},
    Word{"hrs", 3600, Base::second},
    Word{"hour", 3600, Base::second},
    Word{"hours", 3600, Base::second},
    Word{"d", 86400, Base::second},
    Word{"day", 86400, Base::second},
    Word{"days", 86400, Base::second},
    Word{"tok", 1, Base::token},
    Word{"toks", 1, Base::token},
    Word{"token", 1, Base::token},
    Word{"tokens", 1, Base::token},
    Word{"param", 1, Base::parameter},
    Word{"params", 1, Base::parameter},
    Word{"parameter", 1, Base::parameter},
    Word{"parameters", 1, Base::parameter},
    Word{"sample", 1, Base::sample},
    Word{"samples", 1, Base::sample},
    Word{"image", 1, Base::sample},
    Word{"images", 1, Base::sample},
    Word{"img", 1, Base::sample},
    Word{"imgs", 1, Base::sample},
    Word{"usd", 1, Base::dollar},
    Word{"dollar", 1, Base::dollar},
    Word{"dollars", 1, Base::dollar},
    Word{"$", 1, Base::dollar},
};

struct Prefix {
  std::string_view text;  // small letters
  double large = 1;       // before bytes, FLOPs and counts
  double small = 0;       // before seconds; 0: none
};

constexpr std::array kPrefixes = {
    Prefix{"kibi", 1024.0},
    Prefix{"mebi", 1048576.0},
    Prefix{"gibi", 1073741824.0},
    Prefix{"tebi", 1099511627776.0},
    Prefix{"kilo", 1e3},
    Prefix{"mega", 1e6},
    Prefix{"giga", 1e9},
    Prefix{"tera", 1e12},
    Prefix{"peta", 1e15},
    Prefix{"exa", 1e18},
    Prefix{"zetta", 1e21},
    Prefix{"milli", 0, 1e-3},
    Prefix{"micro", 0, 1e-6},
    Prefix{"nano", 0, 1e-9},
    Prefix{"ki", 1024.0},
    Prefix{"mi", 1048576.0},
    Prefix{"gi", 1073741824.0},
    Prefix{"ti", 1099511627776.0},
    Prefix{"k", 1e3},
    Prefix{"m", 1e6, 1e-3},
    Prefix{"u", 0, 1e-6},
    Prefix{"n", 0, 1e-9},
    Prefix{"g", 1e9},
    Prefix{"t", 1e12},
    Prefix{"p", 1e15},
    Prefix{"e", 1e18},
    Prefix{"z", 1e21},
};

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// "b" alone: bytes as a capital or after a small prefix ("gb"), bits after a capital one ("Gb").
std::optional<TypedUnit> byte_or_bit(std::string_view text) {
  const bool bits = text.back() == 'b' && text.size() > 1 && is_capital(text.front());
  return TypedUnit{.scale = bits ? 0.125 : 1, .dimension = dimension_of(Base::byte), .was_bits = bits};
}

std::optional<TypedUnit> word(std::string_view text) {
  const std::string lower = small(text);
  if (lower == "b") return TypedUnit{.scale = 1, .dimension = dimension_of(Base::byte)};
  for (const Word& one : kWords) {
    if (one.text != lower) continue;
    return TypedUnit{.scale = one.scale, .dimension = dimension_of(one.base), .was_bits = lower.starts_with("bit")};
  }
  return std::nullopt;
}

std::optional<TypedUnit> prefixed(std::string_view text) {
  const std::string lower = small(text);
  for (const Prefix& prefix : kPrefixes) {
    if (!lower.starts_with(prefix.text) || lower.size() == prefix.text.size()) continue;
    const std::string_view rest = text.substr(prefix.text.size());
    std::optional<TypedUnit> base = small(rest) == "b" ? byte_or_bit(text) : word(rest);
    if (!base) continue;
    const bool is_time = base->dimension == dimension_of(Base::second);
    const double scale = is_time ? prefix.small : prefix.large;
    if (scale == 0 || (is_time && base->scale != 1)) continue;
    base->scale *= scale;
    return base;
  }
  return std::nullopt;
}

// "5G" where bytes are asked is 5 GB; "40k" anywhere; "1.5B" where no bytes are asked is a billion.
std::optional<TypedUnit> lone_prefix(std::string_view text, const Unit& asked) {
  if (asked.dimension == dimension_of(Base::second)) return std::nullopt;
  const std::string lower = small(text);
  if (lower == "b") {
    if (asked.dimension.of(Base::byte) > 0) return std::nullopt;
    return TypedUnit{.scale = 1e9, .dimension = asked.dimension};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.text == lower && prefix.large > 0) return TypedUnit{.scale = prefix.large, .dimension = asked.dimension};
  }
  return std::nullopt;
}

// One part between slashes.
std::optional<TypedUnit> part(std::string_view text) {
  if (const std::optional<TypedUnit> whole = word(text)) return whole;
  return prefixed(text);
}

// Spaces out, "per" to "/", the micro signs to u, "GBps" to "GB/s".
std::string normalised(std::string_view text) {
  std::string out;
  const auto take = [&](std::string_view from, std::string_view to) {
    if (!text.starts_with(from)) return false;
    text.remove_prefix(from.size());
    out += to;
    return true;
  };
  while (!text.empty()) {
    if (take(" per ", "/") || take("µ", "u") || take("μ", "u") || take(" ", "") || take("\t", "")) continue;
    out += text.front();
    text.remove_prefix(1);
  }
  if (out.starts_with("per/")) out.erase(0, 3);
  const std::string lower = small(out);
  if (lower.ends_with("tps")) return out.substr(0, out.size() - 3) + "tok/s";
  if (lower.ends_with("bps")) {
    // Written as a whole, small "bps" is bits whatever the prefix.
    const bool bits = out[out.size() - 3] == 'b';
    return out.substr(0, out.size() - 3) + (bits ? "bit/s" : "B/s");
  }
  while (out.ends_with('.')) out.pop_back();
  return out;
}

// "regs" for "registers": the same first three letters.
bool is_noun(std::string_view typed, const Unit& asked) {
  if (!asked.dimension.is_plain() || asked.symbol.empty() || typed.size() < 3) return false;
  return small(typed).starts_with(small(asked.symbol).substr(0, 3));
}

}  // namespace

std::optional<TypedUnit> parse_unit(std::string_view text, const Unit& asked) {
  const std::string unit_text = normalised(text);
  const std::string lower = small(unit_text);
  if (lower == "%" || lower == "percent" || lower == "pct") return TypedUnit{.scale = 0.01, .dimension = {}};
  if (lower == "x" || lower == "times" || lower == "×" || is_noun(unit_text, asked)) return TypedUnit{};
  if (std::optional<TypedUnit> lone = lone_prefix(unit_text, asked)) return lone;
  TypedUnit product;
  size_t begin = 0;
  while (begin <= unit_text.size()) {
    const size_t end = std::min(unit_text.find('/', begin), unit_text.size());
    const std::string_view piece = std::string_view(unit_text).substr(begin, end - begin);
    const bool first = begin == 0;
    begin = end + 1;
    if (first && piece.empty()) continue;  // "/s"
    // "M tok/s" has lost its space; "t/s" counts tokens.
    const std::optional<TypedUnit> one = first && small(piece) == "t" ? part("tok") : part(piece);
    if (!one) return std::nullopt;
    product.scale = first ? one->scale : product.scale / one->scale;
    product.dimension = first ? one->dimension : product.dimension / one->dimension;
    product.was_bits = product.was_bits || one->was_bits;
  }
  const Dimension rate = dimension_of(Base::flop) / dimension_of(Base::second);
  if (asked.dimension == rate && product.dimension == dimension_of(Base::flop)) product.dimension = rate;
  return product;
}

bool answers(const Dimension& typed, const Dimension& asked) {
  if (typed.mixed || asked.mixed) return false;
  for (const Base base : {Base::flop, Base::byte, Base::second, Base::dollar}) {
    // "5 MFLOP" and "5 M" of what is plain, and dollars without their sign, are told apart by the question.
    if (typed.of(base) != asked.of(base)) return false;
  }
  // What may be left out may not be wrong.
  for (const Base base : {Base::token, Base::parameter, Base::sample}) {
    if (typed.of(base) != 0 && typed.of(base) != asked.of(base)) return false;
  }
  return true;
}

}  // namespace td::arithmetic
