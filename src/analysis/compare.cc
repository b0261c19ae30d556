#include "analysis/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/text.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

constexpr double kLeastFrac = 0.01;
constexpr double kUnknownNoiseFrac = 0.05;
constexpr size_t kStepsForNoise = 3;
// Of the larger side's kernels a step, and of the names of the longest ones.
constexpr double kOtherKernelsFrac = 0.2;
constexpr double kSameNamesFrac = 0.3;

// Mean over the ranks that have steps.
struct Means {
  int64_t ranks = 0;
  std::map<std::string, TimeNs> parts;
  TimeNs step_ns = 0;
  std::vector<TimeNs> steps_ns;  // of the slowest rank
};

Means means_of(const Reading& reading) {
  Means out;
  TimeNs slowest_ns = -1;
  for (const Ledger& ledger : reading.ledgers) {
    if (ledger.steps == 0) continue;
    ++out.ranks;
    accumulate(out.step_ns, ledger.step_ns);
    accumulate(out.parts["compute"], ledger.compute_ns);
    accumulate(out.parts["exposed_comm"], ledger.exposed_comm_ns);
    accumulate(out.parts["exposed_copy"], ledger.exposed_copy_ns);
    for (const GapGroup& gap : ledger.gaps)
      accumulate(out.parts["idle:" + std::string(to_string(gap.owner))], gap.total_ns);
    if (ledger.step_ns <= slowest_ns) continue;
    slowest_ns = ledger.step_ns;
    out.steps_ns.clear();
    for (const StepLedger& step : ledger.per_step) out.steps_ns.push_back(step.step_ns);
  }
  if (out.ranks == 0) return out;
  out.step_ns /= out.ranks;
  for (auto& [name, sum_ns] : out.parts) sum_ns /= out.ranks;
  return out;
}

// Variance of the mean, in ns^2.
double variance_of_mean(const std::vector<TimeNs>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const TimeNs value : values) mean += static_cast<double>(value) / n;
  double sum = 0;
  for (const TimeNs value : values) sum += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  return sum / (n - 1) / n;
}

TimeNs noise_of(const Means& before, const Means& after) {
  const TimeNs least_ns =
      round_to_int(kUnknownNoiseFrac * static_cast<double>(std::max(before.step_ns, after.step_ns)));
  if (before.steps_ns.size() < kStepsForNoise || after.steps_ns.size() < kStepsForNoise) return least_ns;
  return round_to_int(2 * std::sqrt(variance_of_mean(before.steps_ns) + variance_of_mean(after.steps_ns)));
}

bool marked(const Reading& reading) {
  return reading.steps.source != StepSource::whole_trace && reading.steps.count > 0;
}

double kernels_a_step(const Reading& reading) {
  int64_t count = 0;
  for (const KernelRow& row : reading.kernels) count += row.count;
  return static_cast<double>(count) / static_cast<double>(std::max<int64_t>(1, reading.steps.count));
}

// The longest kernels have hardly a name in common, and their number a step differs: another program.
bool other_work(const Reading& before, const Reading& after) {
  if (before.kernels.empty() || after.kernels.empty()) return false;
  size_t same = 0;
  for (const KernelRow& row : before.kernels)
    same += std::ranges::find(after.kernels, row.name, &KernelRow::name) != after.kernels.end() ? 1 : 0;
  const double names =
      static_cast<double>(same) / static_cast<double>(std::min(before.kernels.size(), after.kernels.size()));
  const double a = kernels_a_step(before);
  const double b = kernels_a_step(after);
  return names < kSameNamesFrac && std::abs(a - b) > kOtherKernelsFrac * std::max(a, b);
}

void add_remarks(const Reading& before, const Reading& after, Comparison& out) {
  const auto device = [](const Reading& reading) {
    return reading.ranks.empty() ? std::string() : reading.ranks.front().device;
  };
  if (device(before) != device(after))
    out.reasons.push_back("The devices differ (" + device(before) + ", " + device(after) +
                          "): the change may be the hardware's.");
  if (before.trust.verdict != Verdict::ok || after.trust.verdict != Verdict::ok)
    out.reasons.emplace_back("One of the traces can be trusted only in part; see its reading.");
  const auto stacks = [](const Reading& reading) {
    return std::ranges::any_of(reading.trust.problems, [](const Problem& p) { return p.id == "python_stacks"; });
  };
  if (stacks(before) != stacks(after))
    out.reasons.emplace_back("Only one of the traces was recorded with Python stacks, which slow its host.");
}

void compare_findings(const Reading& before, const Reading& after, Comparison& out) {
  const auto has = [](const Reading& reading, const std::string& cause) {
    return std::ranges::any_of(reading.findings, [&](const Finding& f) { return f.cause == cause; });
  };
  for (const Finding& finding : before.findings)
    (has(after, finding.cause) ? out.stayed : out.gone).push_back(finding.cause);
  for (const Finding& finding : after.findings)
    if (!has(before, finding.cause)) out.come.push_back(finding.cause);
}

void refuse(const Reading& before, const Reading& after, const Means& a, const Means& b, Comparison& out) {
  if (before.trust.verdict == Verdict::unreadable) out.reasons.emplace_back("The trace before cannot be read.");
  if (after.trust.verdict == Verdict::unreadable) out.reasons.emplace_back("The trace after cannot be read.");
  if (!out.reasons.empty()) return;
  if (!marked(before) || !marked(after))
    out.reasons.emplace_back(
        "A trace has no step boundaries: spans of two captures say nothing about a step. Capture with a schedule.");
  if (a.ranks != b.ranks)
    out.reasons.push_back("There are " + count_text(a.ranks, "rank") + " before and " + std::to_string(b.ranks) +
                          " after.");
  if (other_work(before, after))
    out.reasons.emplace_back("The steps run other kernels, and another number of them: not the same work.");
}

}  // namespace

std::string_view to_string(Change change) {
  constexpr std::array<std::string_view, 4> kNames = {"better", "worse", "same", "not_comparable"};
  return kNames[static_cast<size_t>(change)];
}

Comparison compare(const Reading& before, const Reading& after) {
  Comparison out;
  const Means a = means_of(before);
  const Means b = means_of(after);
  refuse(before, after, a, b, out);
  if (!out.reasons.empty()) return out;
  out.before_ns = a.step_ns;
  out.after_ns = b.step_ns;
  out.noise_ns = noise_of(a, b);
  std::map<std::string, ComparedPart> parts;
  for (const auto& [name, ns] : a.parts) parts[name].before_ns = ns;
  for (const auto& [name, ns] : b.parts) parts[name].after_ns = ns;
  for (auto& [name, part] : parts) {
    part.name = name;
    out.parts.push_back(part);
  }
  const auto size = [](const ComparedPart& part) {
    return part.after_ns > part.before_ns ? part.after_ns - part.before_ns : part.before_ns - part.after_ns;
  };
  std::ranges::stable_sort(out.parts, [&](const ComparedPart& x, const ComparedPart& y) { return size(x) > size(y); });
  const TimeNs change_ns = b.step_ns - a.step_ns;
  const TimeNs size_ns = change_ns < 0 ? -change_ns : change_ns;
  const bool clear =
      size_ns > *out.noise_ns && static_cast<double>(size_ns) > kLeastFrac * static_cast<double>(a.step_ns);
  out.change = !clear ? Change::same : change_ns < 0 ? Change::better : Change::worse;
  add_remarks(before, after, out);
  compare_findings(before, after, out);
  return out;
}

}  // namespace td::analysis
