#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.05;
// A step this many times the median one in which the device computes nearly all the time.
constexpr double kLonger = 3.0;
constexpr double kBusyFrac = 0.8;
constexpr double kAtMostFrac = 0.4;  // of the steps
constexpr size_t kMinSteps = 5;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Kernels and marks of serving engines: paged or unified attention, KV cache writes; step names.
bool is_serving(const MeasuredRank& rank) {
  static constexpr std::array<std::string_view, 10> kKernels = {
      "paged",  "Paged",  "unified_attention", "reshape_and_cache", "splitkv",
      "decode", "Decode", "kv_cache",          "store_kvcache",     "vllm"};
  for (const trace::SliceId slice : rank.steady_work()) {
    const std::string_view name = rank.trace().name_of(slice);
    if (std::ranges::any_of(kKernels, [&](std::string_view part) { return has(name, part); })) return true;
  }
  for (const HostMark& mark : rank.steps.marks) {
    const std::string name = lower(mark.name);
    if (has(name, "decode") || has(name, "generation") || has(name, "prefill") || has(name, "extend")) return true;
  }
  return false;
}

// The step's name says that it processes a prompt: "execute_context_1(...)", "step[EXTEND bs=1]", "prefill".
bool is_prefill_mark(std::string_view mark) {
  const std::string name = lower(mark);
  if (has(name, "prefill") || has(name, "extend") || has(name, "mixed")) return true;
  const size_t at = name.find("context_");
  return at != std::string::npos && at + 8 < name.size() && name[at + 8] != '0';
}

struct Blocked {
  std::vector<size_t> steps;  // indices in steady
  TimeNs usual_ns = 0;
  TimeNs excess_ns = 0;  // over the steps
  int64_t marked = 0;
};

Blocked long_busy_steps(const MeasuredRank& rank, const Ledger& ledger) {
  Blocked out;
  std::vector<TimeNs> lengths;
  for (const StepLedger& step : ledger.per_step) lengths.push_back(step.step_ns);
  out.usual_ns = median_ns(lengths);
  for (size_t i = 0; i < ledger.per_step.size(); ++i) {
    const StepLedger& step = ledger.per_step[i];
    if (static_cast<double>(step.step_ns) < kLonger * static_cast<double>(out.usual_ns)) continue;
    if (fraction(step.compute_ns, step.step_ns) < kBusyFrac) continue;
    out.steps.push_back(i);
    accumulate(out.excess_ns, step.step_ns - out.usual_ns);
    out.marked += is_prefill_mark(rank.steps.items[rank.steps.steady[i]].name) ? 1 : 0;
  }
  return out;
}

std::optional<Finding> detect_prefill_blocks_decode(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  if (ledger.per_step.size() < kMinSteps || !is_serving(rank)) return std::nullopt;
  const Blocked blocked = long_busy_steps(rank, ledger);
  const auto count = static_cast<double>(blocked.steps.size());
  if (blocked.steps.empty() || count > kAtMostFrac * static_cast<double>(ledger.per_step.size())) return std::nullopt;
  const TimeNs cost_ns = blocked.excess_ns / ledger.steps;
  const double loss = fraction(cost_ns, ledger.step_ns);
  if (loss < kLossFrac) return std::nullopt;
  const size_t worst =
      *std::ranges::max_element(blocked.steps, {}, [&](size_t i) { return ledger.per_step[i].step_ns; });
  const DeviceStep& step = rank.steps.items[rank.steps.steady[worst]];
  trace::SliceId longest = rank.timeline.gpu.front();
  TimeNs longest_ns = -1;
  for (const trace::SliceId slice : rank.timeline.gpu)
    if (rank.trace().start_ns[slice] >= step.window.begin_ns && rank.trace().end_ns(slice) <= step.window.end_ns &&
        rank.trace().dur_ns[slice] > longest_ns) {
      longest = slice;
      longest_ns = rank.trace().dur_ns[slice];
    }

  Finding finding = finding_of("prefill_blocks_decode");
  finding.confidence =
      confidence_of({{loss, kLossFrac}, {fraction(ledger.per_step[worst].step_ns, blocked.usual_ns), kLonger}},
                    evidence_quality(measured, ledger) * (blocked.marked > 0 ? 1.0 : 0.8));
  finding.cost_ns_per_step = cost_ns;
  finding.evidence.push_back({std::to_string(blocked.steps.size()) + " of " + count_text(ledger.steps, "step") +
                                  " take up to " + duration_text(ledger.per_step[worst].step_ns) +
                                  " where the median one takes " + duration_text(blocked.usual_ns) +
                                  ", and the device is busy all the while (idle " +
                                  percent_text(ledger.per_step[worst].idle_ns, ledger.per_step[worst].step_ns) +
                                  "): they compute a prompt, and each token that is being decoded waits.",
                              {span_of_interval(rank.trace(), longest, step.window, rank.offset_ns)}});
  finding.ruled_out.push_back({"gc_pauses", "a pause leaves the device idle; these steps do not"});
  finding.ruled_out.push_back(
      {"recompilation", "compile frames own " + duration_text(gap_ns(ledger, GapOwner::compile)) + " a step"});
  finding.what_if =
      per_step(ledger.step_ns, cost_ns,
               "the long steps as long as the median one: prompts in chunks or elsewhere. The work itself "
               "remains; what is won is the tokens' latency");
  return finding;
}

}  // namespace

Detector prefill_blocks_decode() { return {.cause = "prefill_blocks_decode", .detect = detect_prefill_blocks_decode}; }

}  // namespace td::analysis::detect
