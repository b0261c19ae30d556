#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kShareOfIdleFrac = 0.5;  // of the idle that is not queue gaps
constexpr double kIrregularFrac = 0.10;   // of the step, where no rhythm is seen

// Ranks other than the pacing one that are starved as well.
int64_t count_starved_others(const Measured& measured, size_t pacing) {
  int64_t count = 0;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const Ledger& ledger = measured.reading->ledgers[r];
    if (r == pacing || ledger.steps == 0) continue;
    if (fraction(gap_ns(ledger, GapOwner::data_loading), ledger.step_ns) >= kOwnerFrac) ++count;
  }
  return count;
}

void compare_ranks(const Measured& measured, size_t index, Finding& finding) {
  if (measured.ranks.size() < 2) return;
  const Ledger& ledger = measured.reading->ledgers[index];
  const int64_t others = count_starved_others(measured, index);
  const std::string who = "rank " + std::to_string(ledger.rank);
  if (others > 0) {
    finding.evidence.push_back({"So do " + std::to_string(others) + " of the other " +
                                    std::to_string(measured.ranks.size() - 1) + " ranks, each for its own batch.",
                                {}});
    return;
  }
  finding.evidence.push_back({"Only on " + who + ": on the median other rank it is " +
                                  duration_text(median_gap_of_others_ns(measured, index, GapOwner::data_loading)) +
                                  " a step. The others wait for it in their collectives.",
                              {}});
  if (owner_of_lateness(measured, index))
    finding.ruled_out.push_back(
        {"straggler", who + " is last because its batch is late: that wait outweighs all else that it has more of"});
}

std::optional<Finding> detect_starvation(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[index];
  const GapGroup* loader = gaps_of(ledger, GapOwner::data_loading);
  if (loader == nullptr) return std::nullopt;
  const double loss = fraction(loader->total_ns, ledger.step_ns);
  const double share = fraction(loader->total_ns, loss_by_idle_ns(ledger));
  if (loss < kOwnerFrac || share < kShareOfIdleFrac) return std::nullopt;
  // Only some steps: an epoch's end, or something else that happens inside the loader. What costs a tenth of the mean
  // step all the same is worth its name: a window shorter than twice the number of workers shows their rhythm once.
  const bool irregular = loader->rhythm && *loader->rhythm == Rhythm::irregular;
  if (irregular && loss < kIrregularFrac) return std::nullopt;

  Finding finding = finding_of("input_starvation");
  const double rhythm_known = !loader->rhythm ? 0.8 : irregular ? 0.7 : 1.0;
  finding.confidence = confidence_of({{loss, kOwnerFrac}, {share * 2, kShareOfIdleFrac}},
                                     evidence_quality(measured, ledger) * rhythm_known);
  finding.cost_ns_per_step = loader->total_ns;
  finding.evidence.push_back({"The device stands idle " + share_text(measured, loader->total_ns, ledger.step_ns) +
                                  " while the launching thread waits for the loader; that is " + percent_text(share) +
                                  " of its idle time.",
                              longest_gaps(measured.ranks[index], GapOwner::data_loading, 3)});
  compare_ranks(measured, index, finding);
  const TimeNs compile_ns = gap_ns(ledger, GapOwner::compile);
  finding.ruled_out.push_back(
      {"recompilation",
       "compile frames own " + duration_text(compile_ns) + " of the idle time a step, and the wait " +
           (loader->rhythm ? "comes " + std::string(to_string(*loader->rhythm)) : std::string("is the loader's own"))});
  finding.ruled_out.push_back({"sync_stalls", "blocking calls own " + duration_text(gap_ns(ledger, GapOwner::sync)) +
                                                  " of the idle time a step"});
  finding.what_if = per_step(ledger.step_ns, loader->total_ns,
                             "idle time that the loader owns taken off the step: the loader keeps up");
  return finding;
}

}  // namespace

Detector input_starvation() { return {.cause = "input_starvation", .detect = detect_starvation}; }

}  // namespace td::analysis::detect
