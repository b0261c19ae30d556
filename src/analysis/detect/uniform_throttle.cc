#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/kernel_groups.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kSlower = 1.05;
// Kernels of one clock stretch alike: the middle half of the ratios lies within this of their median.
constexpr double kAlikeFrac = 0.05;
// Bound by memory they do not stretch with the SM clock.
constexpr double kMemorySlower = 1.03;
constexpr TimeNs kShortNs = 10 * kNsPerUs;
constexpr size_t kMinKinds = 3;
constexpr double kWinFrac = 0.03;

struct Ratios {
  std::vector<TimeNs> products;  // here over there, in permille; one a kind of kernel
  std::vector<TimeNs> streams;
  TimeNs products_ns = 0;  // over the steady steps
};

TimeNs usual_ns(const std::vector<KernelSample>& samples) {
  std::vector<TimeNs> lengths;
  for (const KernelSample& sample : samples)
    if (sample.under_comm_frac < 0.05) lengths.push_back(sample.dur_ns);
  if (lengths.empty())
    for (const KernelSample& sample : samples) lengths.push_back(sample.dur_ns);
  return median_ns(std::move(lengths));
}

Ratios against(const MeasuredRank& rank, const MeasuredRank& reference) {
  Ratios out;
  const auto there = kernel_groups(reference);
  for (const auto& [key, samples] : kernel_groups(rank)) {
    const auto it = there.find(key);
    if (it == there.end()) continue;
    const TimeNs here_ns = usual_ns(samples);
    const TimeNs there_ns = usual_ns(it->second);
    if (there_ns < kShortNs || here_ns <= 0) continue;
    if (is_product_kernel(key.name)) {
      out.products.push_back(here_ns * 1000 / there_ns);
      for (const KernelSample& sample : samples) accumulate(out.products_ns, sample.dur_ns);
    } else if (is_stream_kernel(key.name)) {
      out.streams.push_back(here_ns * 1000 / there_ns);
    }
  }
  return out;
}

double median_ratio(const std::vector<TimeNs>& permille, int percent) {
  return permille.empty() ? 1.0 : static_cast<double>(percentile_ns(permille, percent)) / 1000.0;
}

std::optional<Finding> detect_uniform_throttle(const Measured& measured) {
  const trace::Trace* reference = measured.facts.reference;
  const size_t first = measured.first_rank();
  if (reference == nullptr || reference->ranks.empty() || first == Measured::kNone) return std::nullopt;
  const MeasuredRank good(reference->ranks.front());
  if (good.trace().device_name != measured.ranks[first].trace().device_name) return std::nullopt;
  std::vector<TimeNs> by_rank;
  Ratios own;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    if (measured.reading->ledgers[r].steps == 0) continue;
    Ratios ratios = against(measured.ranks[r], good);
    if (ratios.products.size() < kMinKinds) return std::nullopt;
    by_rank.push_back(percentile_ns(ratios.products, 50));
    if (r == first) own = std::move(ratios);
  }
  const double slower = median_ratio(own.products, 50);
  const double spread = (median_ratio(own.products, 75) - median_ratio(own.products, 25)) / 2;
  const double memory = median_ratio(own.streams, 50);
  if (by_rank.empty() || static_cast<double>(std::ranges::min(by_rank)) / 1000.0 < kSlower) return std::nullopt;
  if (spread > kAlikeFrac * slower || memory > std::max(kMemorySlower, 1 + (slower - 1) / 2)) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[first];
  const TimeNs products_ns = std::min(own.products_ns / ledger.steps, ledger.compute_ns);
  const TimeNs gain_ns = round_to_int(static_cast<double>(products_ns) * (1 - 1 / slower));
  const double win = fraction(gain_ns, ledger.step_ns);
  if (win < kWinFrac) return std::nullopt;

  Finding finding = finding_of("uniform_throttle");
  finding.confidence =
      confidence_of({{win, kWinFrac}, {(slower - 1) * 1.5, kSlower - 1}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back(
      {"Against the reference trace, kernels bound by arithmetic take " + decimal_text(slower, 2) +
           "x as long on every rank (" + std::to_string(own.products.size()) + " kinds of kernel, within " +
           decimal_text(spread, 2) + "), kernels bound by memory " + decimal_text(memory, 2) + "x.",
       longest_slices(measured.ranks[first], trace::SliceKind::compute, 1)});
  finding.ruled_out.push_back({"straggler", "every rank is slower, and by the same factor"});
  finding.ruled_out.push_back({"memory_bound_kernel", "what memory bounds has kept its length"});
  finding.what_if = per_step(ledger.step_ns, gain_ns, "kernels bound by arithmetic at the reference's length");
  return finding;
}

}  // namespace

Detector uniform_throttle() { return {.cause = "uniform_throttle", .detect = detect_uniform_throttle}; }

}  // namespace td::analysis::detect
