// Everything that is known before the findings: what the detectors look at.
#pragma once

#include <optional>
#include <vector>

#include "analysis/collectives.h"
#include "analysis/facts.h"
#include "analysis/gaps.h"
#include "analysis/host.h"
#include "analysis/host_tree.h"
#include "analysis/lateness.h"
#include "analysis/pipeline.h"
#include "analysis/reading.h"
#include "analysis/steps.h"
#include "analysis/timeline.h"
#include "trace/trace.h"

namespace td::analysis {

struct MeasuredRank {
  RankTimeline timeline;
  HostActivity host;
  HostTree tree;
  RankSteps steps;
  std::vector<GapPart> gap_parts;  // of the steady steps
  TimeNs offset_ns = 0;            // own time + this = common clock, after alignment

  explicit MeasuredRank(const trace::RankTrace& rank)
      : timeline(rank),
        host(rank),
        tree(rank),
        steps(find_steps(timeline, host)),
        gap_parts(own_gaps(timeline, host, steps)) {}

  [[nodiscard]] const trace::RankTrace& trace() const { return *timeline.trace; }
  // Kernels, copies and memsets inside the steady steps, in order of start.
  [[nodiscard]] std::vector<trace::SliceId> steady_work() const;
};

struct Measured {
  const trace::Trace* trace = nullptr;
  Facts facts;  // the GPU filled in from the trace where the caller did not say
  std::vector<MeasuredRank> ranks;
  MatchedCollectives collectives;
  std::vector<RankMessages> messages;  // by rank; empty ones without a pipeline
  std::optional<Pipeline> pipeline;
  Lateness lateness;
  const Reading* reading = nullptr;  // all but the findings

  // The ledger of the rank with the longest mean step: what decides when the job is done. nullptr without a step.
  [[nodiscard]] const Ledger* slowest_ledger() const;
  // Index of the first rank that has GPU work and a ledger; kNone if there is none.
  [[nodiscard]] size_t first_rank() const;
  static constexpr size_t kNone = SIZE_MAX;
  [[nodiscard]] bool has_steps() const { return first_rank() != kNone; }
  // Mean over ranks of the ledgers' step; 0 without one.
  [[nodiscard]] TimeNs mean_step_ns() const;
};

// The gap group of an owner in a ledger, or nullptr.
const GapGroup* gaps_of(const Ledger& ledger, GapOwner owner);
// Its mean time per step, 0 if there is none.
TimeNs gap_ns(const Ledger& ledger, GapOwner owner);

// Span::during of a gap in which the launching thread shows no call.
inline constexpr std::string_view kBetweenCalls = "between calls";

// The longest steady parts of one owner on one rank, as spans for evidence, longest first.
std::vector<Span> longest_gaps(const MeasuredRank& rank, GapOwner owner, size_t at_most);

}  // namespace td::analysis
