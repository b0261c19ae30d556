#include "arithmetic/unit.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/math.h"

namespace td::arithmetic {
namespace {

struct Named {
  std::string_view symbol;
  double scale = 1;
  Base base = Base::byte;
};

constexpr std::array kNamed = {
    Named{"B", 1, Base::byte},         Named{"FLOP", 1, Base::flop},       Named{"s", 1, Base::second},
    Named{"min", 60, Base::second},    Named{"h", 3600, Base::second},     Named{"days", 86400, Base::second},
    Named{"tok", 1, Base::token},      Named{"param", 1, Base::parameter}, Named{"params", 1, Base::parameter},
    Named{"samples", 1, Base::sample}, Named{"sample", 1, Base::sample},   Named{"$", 1, Base::dollar},
};

struct Prefix {
  std::string_view symbol;
  double scale = 1;
};

constexpr std::array kPrefixes = {
    Prefix{"Ki", 1024.0}, Prefix{"Mi", 1048576.0}, Prefix{"Gi", 1073741824.0}, Prefix{"Ti", 1099511627776.0},
    Prefix{"k", 1e3},     Prefix{"M", 1e6},        Prefix{"G", 1e9},           Prefix{"T", 1e12},
    Prefix{"P", 1e15},    Prefix{"E", 1e18},       Prefix{"Z", 1e21},          Prefix{"Y", 1e24},
    Prefix{"m", 1e-3},    Prefix{"u", 1e-6},       Prefix{"n", 1e-9},          Prefix{"p", 1e-12},
    Prefix{"f", 1e-15},
};

std::optional<Quantity> named(std::string_view symbol) {
  for (const Named& one : kNamed) {
    if (one.symbol == symbol) return Quantity{one.scale, dimension_of(one.base)};
  }
  return std::nullopt;
}

// One part between slashes: "GB", "Mtok", "B params" (billions), "h".
std::optional<Quantity> part_of(std::string_view symbol) {
  if (symbol == "B params") return Quantity{1e9, dimension_of(Base::parameter)};
  if (const std::optional<Quantity> whole = named(symbol)) return whole;
  for (const Prefix& prefix : kPrefixes) {
    if (!symbol.starts_with(prefix.symbol)) continue;
    std::optional<Quantity> rest = named(symbol.substr(prefix.symbol.size()));
    if (!rest) continue;
    return Quantity{rest->value * prefix.scale, rest->dimension};
  }
  return std::nullopt;
}

std::string base_symbol(const Dimension& dimension) {
  static constexpr std::array<std::string_view, kBases> kSymbols = {"FLOP", "B", "s", "tok", "param", "samples", "$"};
  std::string over;
  std::string under;
  for (size_t i = 0; i < kBases; ++i) {
    for (int k = 0; k < dimension.power[i]; ++k) over.append(over.empty() ? "" : " ").append(kSymbols[i]);
    for (int k = 0; k < -dimension.power[i]; ++k) under.append("/").append(kSymbols[i]);
  }
  return over + under;
}

// Thousands by commas.
std::string grouped(std::string whole) {
  for (size_t at = whole.size(); at > 3;) {
    at -= 3;
    whole.insert(at, 1, ',');
  }
  return whole;
}

Unit fitting_time(const Quantity& quantity) {
  const double s = quantity.value;
  if (s >= 2 * 86400.0) return unit("days");
  if (s >= 2 * 3600.0) return unit("h");
  if (s >= 120) return unit("min");
  if (s >= 1) return unit("s");
  if (s >= 1e-3) return unit("ms");
  return unit(s >= 1e-6 ? "us" : "ns");
}

}  // namespace

Unit unit(std::string_view symbol) {
  Unit out{.symbol = std::string(symbol), .scale = 1, .dimension = {}};
  if (symbol == "%") return {.symbol = "%", .scale = 0.01, .dimension = {}};
  size_t begin = 0;
  Quantity product{1, {}};
  bool known = !symbol.empty();
  while (known && begin <= symbol.size()) {
    const size_t end = std::min(symbol.find('/', begin), symbol.size());
    const std::optional<Quantity> part = part_of(symbol.substr(begin, end - begin));
    known = part.has_value();
    if (part) product = begin == 0 ? *part : product / *part;
    begin = end + 1;
  }
  if (known) {
    out.scale = product.value;
    out.dimension = product.dimension;
  }
  return out;
}

Unit fitting_unit(const Quantity& quantity) {
  const std::string base = base_symbol(quantity.dimension);
  if (quantity.dimension == dimension_of(Base::second)) return fitting_time(quantity);
  if (quantity.dimension.is_plain() || quantity.dimension.of(Base::dollar) != 0 ||
      quantity.dimension.of(Base::sample) != 0) {
    return unit(base);
  }
  if (quantity.dimension == dimension_of(Base::parameter)) return unit(quantity.value >= 1e9 ? "B params" : "params");
  const double size = quantity.value < 0 ? -quantity.value : quantity.value;
  std::string_view best;
  double best_scale = 1;
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.symbol.size() != 1 || prefix.scale < 1 || size < prefix.scale * 0.9999 || prefix.scale < best_scale)
      continue;
    best = prefix.symbol;
    best_scale = prefix.scale;
  }
  // A ratio whose first part is no byte, FLOP or token reads badly with a prefix.
  return unit(std::string(best) + base);
}

std::string digits(double value, int significant) {
  if (value < 0) {
    std::string out = "−";
    out += digits(-value, significant);
    return out;
  }
  if (!(value < 1e300)) return "1e300";
  if (value >= 1e15) {
    int exponent = 0;
    while (value >= 10) {
      value /= 10;
      ++exponent;
    }
    return digits(value, significant).append("e").append(std::to_string(exponent));
  }
  int whole_digits = 1;
  double left = value;
  while (left >= 10) {
    left /= 10;
    ++whole_digits;
  }
  int decimals = significant - whole_digits;
  if (value < 1) {
    // Zeros behind the point do not count; twelve of them are enough.
    decimals = significant;
    left = value * 10;
    while (value > 0 && left < 1 && decimals < 12) {
      left *= 10;
      ++decimals;
    }
  }
  if (decimals <= 0) {
    // Whole numbers are kept whole: 16,384 tokens are not 16,400.
    return grouped(std::to_string(round_to_int(value)));
  }
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const int64_t scaled = round_to_int(value * scale);
  const auto whole_scale = static_cast<int64_t>(scale);
  std::string fraction = std::to_string(scaled % whole_scale);
  fraction.insert(0, static_cast<size_t>(decimals) - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  std::string out = grouped(std::to_string(scaled / whole_scale));
  if (!fraction.empty()) out.append(".").append(fraction);
  return out;
}

std::string text_of(const Quantity& quantity, const Unit& unit, int significant) {
  const double in_unit = quantity.value / unit.scale;
  const bool dollars = unit.symbol.starts_with('$');
  std::string out = dollars ? "$" : "";
  out += digits(in_unit, significant);
  std::string_view behind = std::string_view(unit.symbol).substr(dollars ? 1 : 0);
  // One of them: "1 block".
  const bool noun = unit.dimension.is_plain() && behind.size() > 3 && behind.ends_with('s') && behind != "times";
  if (noun && out == "1") behind.remove_suffix(1);
  if (!behind.empty()) out.append(dollars ? "" : " ").append(behind);
  return out;
}

std::string described(const Unit& unit) {
  if (unit.symbol == "%") return "a share such as 40 % or 0.4";
  const std::string sample = "10 " + unit.symbol;
  const Dimension byte = dimension_of(Base::byte);
  const Dimension second = dimension_of(Base::second);
  const Dimension flop = dimension_of(Base::flop);
  if (unit.dimension == second) return "a time such as " + sample;
  if (unit.dimension == byte) return "a number of bytes such as " + sample;
  if (unit.dimension == byte / second) return "a bandwidth such as " + sample;
  if (unit.dimension == flop / second) return "a rate such as " + sample;
  if (unit.dimension == flop / byte) return "an intensity such as 295 FLOP/B";
  if (unit.dimension.is_plain()) {
    return unit.symbol.empty() ? "a plain number such as 40" : "a number of " + unit.symbol + " such as 40";
  }
  return "a number in " + unit.symbol;
}

}  // namespace td::arithmetic
