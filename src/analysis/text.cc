#include "analysis/text.h"

#include <cstdlib>

#include "base/math.h"

namespace td::analysis {
namespace {

// value / scale with `decimals` decimals, rounded half away from zero.
std::string scaled_text(int64_t value, int64_t scale, int decimals) {
  int64_t ten = 1;
  for (int i = 0; i < decimals; ++i) ten *= 10;
  const bool negative = value < 0;
  const auto magnitude = static_cast<uint64_t>(negative ? -value : value);
  const auto divisor = static_cast<uint64_t>(scale);
  const uint64_t whole = magnitude / divisor;
  const uint64_t rest = magnitude % divisor;
  uint64_t hundredths = 0;  // rest * ten / scale without overflow: scale is at most 1e12, ten at most 1000
  hundredths = (rest * static_cast<uint64_t>(ten) + divisor / 2) / divisor;
  const uint64_t total = whole * static_cast<uint64_t>(ten) + hundredths;
  std::string digits = std::to_string(total);
  while (digits.size() <= static_cast<size_t>(decimals)) digits.insert(digits.begin(), '0');
  if (decimals > 0) digits.insert(digits.size() - static_cast<size_t>(decimals), ".");
  return (negative && total != 0 ? "-" : "") + digits;
}

std::string with_unit(int64_t value, int64_t scale, std::string_view unit) {
  const int64_t magnitude = value < 0 ? -value : value;
  const int decimals = magnitude < 10 * scale ? 2 : 1;
  return scaled_text(value, scale, decimals) + " " + std::string(unit);
}

}  // namespace

std::string duration_text(TimeNs dur_ns) {
  const TimeNs magnitude = dur_ns < 0 ? -dur_ns : dur_ns;
  if (magnitude < kNsPerUs) return std::to_string(dur_ns) + " ns";
  if (magnitude < kNsPerMs) return with_unit(dur_ns, kNsPerUs, "us");
  if (magnitude < kNsPerS) return with_unit(dur_ns, kNsPerMs, "ms");
  return with_unit(dur_ns, kNsPerS, "s");
}

std::string percent_text(int64_t part, int64_t whole) {
  if (whole <= 0) return "-";
  return percent_text(fraction(part, whole));
}

std::string percent_text(double frac) { return decimal_text(frac * 100.0) + " %"; }

std::string bytes_text(int64_t size_bytes) {
  if (size_bytes < kKiB) return std::to_string(size_bytes) + " B";
  if (size_bytes < kMiB) return with_unit(size_bytes, kKiB, "KiB");
  if (size_bytes < kGiB) return with_unit(size_bytes, kMiB, "MiB");
  return with_unit(size_bytes, kGiB, "GiB");
}

std::string rate_text(double bytes_per_s) {
  const double gb = bytes_per_s / 1e9;
  return decimal_text(gb, gb < 10.0 ? 2 : 1) + " GB/s";
}

std::string decimal_text(double value, int decimals) {
  if (!(value < 1e12 && value > -1e12)) return "-";
  int64_t ten = 1;
  for (int i = 0; i < decimals; ++i) ten *= 10;
  return scaled_text(round_to_int(value * static_cast<double>(ten)), ten, decimals);
}

std::string count_text(int64_t count, std::string_view singular) {
  return std::to_string(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

std::string short_name(std::string_view name, size_t columns) {
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) out.push_back(c);
    if ((c == '>' || c == ')') && depth > 0) --depth;
  }
  // "(anonymous namespace)::f" must not become "::f", nor a name in brackets nothing at all.
  while (out.starts_with("::")) out.erase(0, 2);
  for (size_t at = out.find("::::"); at != std::string::npos; at = out.find("::::")) out.erase(at, 2);
  if (out.empty()) out = std::string(name);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  if (out.size() <= columns) return out;
  // The end of a qualified name says more than its beginning.
  const size_t last = out.rfind("::");
  if (last != std::string::npos && out.size() - last - 2 <= columns && out.size() - last > 4)
    return out.substr(last + 2);
  size_t keep = columns > 3 ? columns - 3 : 0;
  while (keep > 0 && (static_cast<unsigned char>(out[keep]) & 0xC0) == 0x80) --keep;  // not inside a UTF-8 sequence
  return out.substr(0, keep) + "...";
}

double fraction(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

}  // namespace td::analysis
