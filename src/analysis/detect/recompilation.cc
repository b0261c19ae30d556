#include <algorithm>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kShareOfIdleFrac = 0.5;  // of the idle that is not queue gaps, on the rank that compiles most

// Idle that the compiler owns in each steady step of a rank.
std::vector<TimeNs> compile_by_step_ns(const MeasuredRank& rank) {
  std::vector<TimeNs> out(rank.steps.steady.size(), 0);
  for (const GapPart& part : rank.gap_parts)
    if (part.owner == GapOwner::compile) out[part.step] += part.at.length_ns();
  return out;
}

// What compiling costs the job: all ranks wait for the one that compiles longest, step by step.
struct Compiles {
  size_t most = Measured::kNone;  // the rank that loses most
  TimeNs longest_ns = 0;          // of one step on one rank
  int64_t steps = 0;
  int64_t steps_hit = 0;
  int64_t ranks_hit = 0;
  TimeNs cost_ns = 0;  // mean over the steps
};

Compiles compiles_of(const Measured& measured) {
  Compiles out;
  std::vector<TimeNs> worst_ns;
  TimeNs most_ns = 0;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const std::vector<TimeNs> by_step_ns = compile_by_step_ns(measured.ranks[r]);
    worst_ns.resize(std::max(worst_ns.size(), by_step_ns.size()), 0);
    TimeNs sum_ns = 0;
    for (size_t step = 0; step < by_step_ns.size(); ++step) {
      worst_ns[step] = std::max(worst_ns[step], by_step_ns[step]);
      out.longest_ns = std::max(out.longest_ns, by_step_ns[step]);
      sum_ns += by_step_ns[step];
    }
    if (sum_ns > 0) ++out.ranks_hit;
    if (sum_ns <= most_ns) continue;
    most_ns = sum_ns;
    out.most = r;
  }
  out.steps = static_cast<int64_t>(worst_ns.size());
  for (const TimeNs worst : worst_ns) {
    out.cost_ns += worst;
    if (worst > 0 && worst * 5 >= out.longest_ns) ++out.steps_hit;
  }
  if (out.steps > 0) out.cost_ns /= out.steps;
  return out;
}

// "in steps whose kernels and grids the others do not have", or nothing.
std::string shape_text(const GapGroup& compile) {
  if (compile.rhythm && *compile.rhythm == Rhythm::by_shape)
    return ", and only steps whose kernels and grids no other has";
  return "";
}

std::optional<Finding> detect_recompilation(const Measured& measured) {
  const Compiles compiles = compiles_of(measured);
  if (compiles.most == Measured::kNone || compiles.steps < 2) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[compiles.most];
  const GapGroup* compile = gaps_of(ledger, GapOwner::compile);
  if (compile == nullptr) return std::nullopt;
  const TimeNs step_ns = measured.mean_step_ns();
  const double loss = fraction(compiles.cost_ns, step_ns);
  const double share = fraction(compile->total_ns, loss_by_idle_ns(ledger));
  if (loss < kOwnerFrac || share < kShareOfIdleFrac) return std::nullopt;

  Finding finding = finding_of("recompilation");
  finding.confidence =
      confidence_of({{loss, kOwnerFrac}, {share * 2, kShareOfIdleFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = compiles.cost_ns;
  finding.evidence.push_back({"The launching thread compiles while the device stands idle, the longest time for " +
                                  duration_text(compiles.longest_ns) + ": " + std::to_string(compiles.steps_hit) +
                                  " of " + count_text(compiles.steps, "step") + " are hit" + shape_text(*compile) +
                                  ". Spread over all steps that is " + share_text(measured, compiles.cost_ns, step_ns) +
                                  ".",
                              longest_gaps(measured.ranks[compiles.most], GapOwner::compile, 3)});
  if (measured.ranks.size() > 1)
    finding.evidence.push_back({std::to_string(compiles.ranks_hit) + " of " +
                                    count_text(static_cast<int64_t>(measured.ranks.size()), "rank") +
                                    " compile in these steps; a rank that does not waits in its collectives.",
                                {}});
  finding.ruled_out.push_back(
      {"input_starvation", "the loader owns " + duration_text(gap_ns(ledger, GapOwner::data_loading)) +
                               " of the idle time a step, compile frames " + duration_text(compile->total_ns)});
  finding.ruled_out.push_back(
      {"allocator_stalls", "allocation calls own " + duration_text(gap_ns(ledger, GapOwner::allocator)) + " a step"});
  finding.what_if = per_step(step_ns, compiles.cost_ns,
                             "idle time under compile frames taken off the steps that have it: no guard fails");
  return finding;
}

}  // namespace

Detector recompilation() { return {.cause = "recompilation", .detect = detect_recompilation}; }

}  // namespace td::analysis::detect
