#include "drill/text.h"

#include <array>
#include <string_view>

namespace td::drill {
namespace {

constexpr std::array<int64_t, 7> kPowersOfTen = {1, 10, 100, 1000, 10000, 100000, 1000000};

// numerator / denominator, halves away from zero; numerator >= 0. 128 bits hold any product made here.
int64_t divide_rounded(__int128 numerator, int64_t denominator) {
  return static_cast<int64_t>((numerator * 2 + denominator) / (static_cast<__int128>(denominator) * 2));
}

}  // namespace

std::string decimal_text(int64_t value, int64_t unit, int decimals) {
  if (value < 0) return "-" + decimal_text(-value, unit, decimals);
  const int64_t power = kPowersOfTen[static_cast<size_t>(decimals)];
  const int64_t scaled = divide_rounded(static_cast<__int128>(value) * power, unit);
  std::string out = std::to_string(scaled / power);
  if (decimals == 0) return out;
  std::string rest = std::to_string(scaled % power);
  return out + "." + std::string(static_cast<size_t>(decimals) - rest.size(), '0') + rest;
}

std::string grouped_text(int64_t value) {
  if (value < 0) return std::string("-").append(grouped_text(-value));
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string percent_text(int64_t millionths) { return decimal_text(millionths, 10000, 1) + " %"; }

int64_t share_millionths(int64_t part, int64_t whole) {
  if (whole == 0) return 0;
  const bool negative = (part < 0) != (whole < 0);
  const __int128 numerator = static_cast<__int128>(part < 0 ? -part : part) * 1000000;
  const int64_t share = divide_rounded(numerator, whole < 0 ? -whole : whole);
  return negative ? -share : share;
}

std::string bytes_text(int64_t size_bytes) {
  if (size_bytes >= 1000000000) return decimal_text(size_bytes, 1000000000, 2) + " GB";
  if (size_bytes >= 1000000) return decimal_text(size_bytes, 1000000, 1) + " MB";
  return decimal_text(size_bytes, 1000, 1) + " kB";
}

std::string rate_text(int64_t bytes_per_s) {
  return decimal_text(bytes_per_s, 1000000000, bytes_per_s >= 100000000000 ? 0 : 1) + " GB/s";
}

MsScale::MsScale(TimeNs step_ns) : decimals_(step_ns >= 20 * kNsPerMs ? 1 : 2) {}

TimeNs MsScale::round(TimeNs value_ns) const {
  const TimeNs unit_ns = kNsPerMs / kPowersOfTen[static_cast<size_t>(decimals_)];
  if (value_ns < 0) return -round(-value_ns);
  return (value_ns + unit_ns / 2) / unit_ns * unit_ns;
}

std::string MsScale::number(TimeNs value_ns) const { return decimal_text(value_ns, kNsPerMs, decimals_); }

std::string MsScale::text(TimeNs value_ns) const { return number(value_ns) + " ms"; }

std::string dur_text(TimeNs dur_ns) {
  if (dur_ns >= 100 * kNsPerMs) return decimal_text(dur_ns, kNsPerMs, 0) + " ms";
  if (dur_ns >= 10 * kNsPerMs) return decimal_text(dur_ns, kNsPerMs, 1) + " ms";
  if (dur_ns >= 100 * kNsPerUs) return decimal_text(dur_ns, kNsPerMs, 2) + " ms";
  return decimal_text(dur_ns, kNsPerUs, 0) + " us";
}

std::string count_word(int64_t count) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
  if (count < 0 || count >= static_cast<int64_t>(kWords.size())) return std::to_string(count);
  return std::string(kWords[static_cast<size_t>(count)]);
}

}  // namespace td::drill
