#include "analysis/read.h"

#include <algorithm>
#include <optional>

#include "analysis/detect/detector.h"
#include "analysis/kernels.h"
#include "analysis/ledger.h"
#include "analysis/measured.h"
#include "analysis/overlap.h"
#include "analysis/picture.h"
#include "analysis/syncs.h"
#include "analysis/trust.h"
#include "analysis/whole.h"
#include "base/saturate.h"
#include "catalog/catalog.h"

namespace td::analysis {
namespace {

constexpr size_t kKernelRows = 10;
constexpr size_t kPictureColumns = 64;

std::vector<MeasuredRank> measure_ranks(const trace::Trace& trace, Executor* executor) {
  std::vector<std::optional<MeasuredRank>> slots(trace.ranks.size());
  SerialExecutor serial;
  (executor != nullptr ? *executor : serial).parallel_for(trace.ranks.size(), [&](size_t r) {
    slots[r].emplace(trace.ranks[r]);
  });
  std::vector<MeasuredRank> ranks;
  for (std::optional<MeasuredRank>& slot : slots) {
    if (slot) ranks.push_back(*std::move(slot));
  }
  return ranks;
}

std::vector<const RankTimeline*> timelines_of(const Measured& measured) {
  std::vector<const RankTimeline*> out;
  for (const MeasuredRank& rank : measured.ranks) out.push_back(&rank.timeline);
  return out;
}

std::vector<TimeNs> offsets_of(const Measured& measured) {
  std::vector<TimeNs> out;
  for (const MeasuredRank& rank : measured.ranks) out.push_back(rank.offset_ns);
  return out;
}

std::vector<const RankSteps*> steps_of_ranks(const Measured& measured) {
  std::vector<const RankSteps*> out;
  for (const MeasuredRank& rank : measured.ranks) out.push_back(&rank.steps);
  return out;
}

void match_ranks(Measured& measured) {
  measured.collectives = match_collectives(timelines_of(measured), steps_of_ranks(measured));
  for (size_t r = 0; r < measured.ranks.size(); ++r)
    measured.ranks[r].offset_ns =
        measured.trace->ranks[r].clock_offset_ns + measured.collectives.clock_correction_ns[r];
}

RankInfo info_of(const MeasuredRank& rank) {
  RankInfo info;
  info.rank = rank.trace().rank;
  if (rank.trace().world_size > 0) info.world_size = rank.trace().world_size;
  info.device = rank.trace().device_name;
  info.clock_offset_ns = rank.offset_ns;
  return info;
}

Steps steps_of(const Measured& measured) {
  Steps steps;
  std::vector<TimeNs> lengths;
  for (const MeasuredRank& rank : measured.ranks) {
    for (const DeviceStep& step : rank.steps.items)
      steps.items.push_back({rank.trace().rank, step.name, step.window.begin_ns + rank.offset_ns,
                             step.window.length_ns(), step.warmup, step.partial, step.outlier});
    for (const size_t i : rank.steps.steady) lengths.push_back(rank.steps.items[i].window.length_ns());
  }
  if (!measured.ranks.empty()) {
    steps.source = measured.ranks.front().steps.source;
    steps.count = static_cast<int64_t>(measured.ranks.front().steps.steady.size());
  }
  if (!lengths.empty()) steps.median_ns = median_ns(std::move(lengths));
  return steps;
}

// Splits each ledger's exposed communication into wait and transfer, where every call met its peers.
void split_communication(const Measured& measured, std::vector<Ledger>& ledgers) {
  const MatchedCollectives& matched = measured.collectives;
  if (!matched.groups_complete) return;
  const std::vector<IntervalSet> waits = exposed_waits(timelines_of(measured), matched, offsets_of(measured));
  for (size_t r = 0; r < ledgers.size(); ++r) {
    if (ledgers[r].steps == 0 || !(matched.rank_aligned[r] || matched.all.empty())) continue;
    const IntervalSet messages = intersect(measured.messages[r].waits, measured.ranks[r].timeline.exposed_comm);
    const IntervalSet both = unite(waits[r], messages);
    TimeNs sum_ns = 0;
    for (const size_t i : measured.ranks[r].steps.steady)
      sum_ns += length_within_ns(both, measured.ranks[r].steps.items[i].window);
    const TimeNs wait_ns = std::min(sum_ns / ledgers[r].steps, ledgers[r].exposed_comm_ns);
    ledgers[r].comm_wait_ns = wait_ns;
    ledgers[r].comm_transfer_ns = ledgers[r].exposed_comm_ns - wait_ns;
  }
}

Collectives collectives_of(Measured& measured, const std::vector<Ledger>& ledgers) {
  Collectives out;
  out.groups_complete = measured.collectives.groups_complete;
  if (!out.groups_complete) return out;
  TimeNs wait_ns = 0;
  TimeNs transfer_ns = 0;
  int64_t count = 0;
  for (const Ledger& ledger : ledgers) {
    if (!ledger.comm_wait_ns || !ledger.comm_transfer_ns) continue;
    accumulate(wait_ns, *ledger.comm_wait_ns);
    accumulate(transfer_ns, *ledger.comm_transfer_ns);
    ++count;
  }
  if (count == 0) return out;
  out.wait_ns = wait_ns / count;
  out.transfer_ns = transfer_ns / count;
  const std::vector<const RankTimeline*> timelines = timelines_of(measured);
  measured.lateness = lateness_by_step(timelines, measured.collectives, offsets_of(measured), steps_of_ranks(measured));
  out.last_arrival = last_arrival(measured.lateness, timelines, measured.mean_step_ns());
  return out;
}

// With most GPU events missing, what is not recorded looks idle: no ledger, no idle time.
void forget_what_cannot_be_told(Reading& reading) {
  for (Ledger& ledger : reading.ledgers) {
    const int32_t rank = ledger.rank;
    ledger = Ledger{};
    ledger.rank = rank;
  }
  reading.whole.idle_ns.reset();
  reading.picture = Picture{};
}

void find(const Measured& measured, std::vector<Finding>& findings) {
  // An unreadable trace gets no diagnosis.
  const bool readable = measured.reading->trust.verdict != Verdict::unreadable;
  for (const Turn turn : {Turn::cause, Turn::otherwise, Turn::at_last}) {
    if (!readable && turn != Turn::at_last) continue;
    for (const Detector& detector : all_detectors()) {
      if (detector.turn != turn) continue;
      if (std::optional<Finding> finding = detector.detect(measured)) findings.push_back(std::move(*finding));
    }
    if (!findings.empty()) break;
  }
  // What can be gained most comes first; what cannot be decided yet comes after what is.
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    const bool a_open = a.cause == "inconclusive";
    const bool b_open = b.cause == "inconclusive";
    if (a_open != b_open) return b_open;
    return a.cost_ns_per_step.value_or(0) > b.cost_ns_per_step.value_or(0);
  });
}

}  // namespace

Finding finding_of(std::string_view cause) {
  Finding finding;
  finding.cause = std::string(cause);
  if (const catalog::Cause* entry = catalog::find_cause(cause)) {
    finding.confirm = std::string(entry->confirm);
    finding.fix = std::string(entry->fix);
  }
  return finding;
}

Reading read(const trace::Trace& trace, const Facts& facts, Executor* executor) {
  Reading reading;
  Measured measured;
  measured.trace = &trace;
  measured.facts = facts;
  if (measured.facts.gpu == nullptr) measured.facts.gpu = gpu_of(trace);
  measured.reading = &reading;
  measured.ranks = measure_ranks(trace, executor);
  match_ranks(measured);
  measured.messages = measure_messages(timelines_of(measured));
  for (const MeasuredRank& rank : measured.ranks) {
    // A file may hold several ranks.
    if (reading.files.empty() || reading.files.back() != rank.trace().file) reading.files.push_back(rank.trace().file);
    reading.ranks.push_back(info_of(rank));
  }
  reading.trust = judge_trust(measured);
  reading.steps = steps_of(measured);
  for (const MeasuredRank& rank : measured.ranks) {
    reading.ledgers.push_back(make_ledger(rank.timeline, rank.steps, rank.gap_parts, rank.offset_ns));
    reading.ledgers.back().harmless_syncs = harmless_syncs(rank);
  }
  split_communication(measured, reading.ledgers);
  measured.pipeline = find_pipeline(measured);
  if (!measured.ranks.empty()) {
    reading.whole = measure_whole(measured.ranks.front().timeline);
    reading.overlap = measure_overlap(measured, 0);
    reading.kernels = longest_kernels(measured.ranks.front(), kKernelRows);
  }
  reading.collectives = collectives_of(measured, reading.ledgers);
  reading.picture = picture_of(measured, kPictureColumns);
  if (reading.trust.verdict == Verdict::unreadable) forget_what_cannot_be_told(reading);
  find(measured, reading.findings);
  return reading;
}

}  // namespace td::analysis
