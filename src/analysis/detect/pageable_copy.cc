#include <algorithm>
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
// Downloads below this are scalars (.item()), which are syncs, not copies.
constexpr int64_t kLargeBytes = kMiB;
// Of a copy call's length, so much is the copy itself: the call stages the bytes. A call that waits for earlier work
// is a sync.
constexpr double kStagedFrac = 0.5;
// What staging through pageable memory reaches (6 to 20 GB/s); pinned memory does 21 to 57 (signatures.md A5).
constexpr double kPageableBytesPerS = 20e9;

struct Copies {
  std::vector<trace::SliceId> slices;
  TimeNs exposed_ns = 0;  // over the steady steps
  TimeNs dur_ns = 0;
  int64_t bytes = 0;
  bool named = false;  // the profiler says pageable
};

// True for copies between host and device whose host side is pageable: by name, or where the name does not tell
// (ROCm: "Host -> Device") because the call stands as long as the copy, at a pageable rate.
bool is_pageable(const MeasuredRank& rank, trace::SliceId slice, int64_t bytes, bool& named) {
  const trace::RankTrace& trace = rank.trace();
  const std::string_view name = trace.name_of(slice);
  const trace::CopyKind kind = trace::copy_of_name(name);
  if (kind != trace::CopyKind::h2d && kind != trace::CopyKind::d2h) return false;
  if (kind == trace::CopyKind::d2h && bytes < kLargeBytes) return false;
  if (trace::is_pageable_copy(name)) return named = true;
  if (name.find("Pinned") != std::string_view::npos || bytes < kLargeBytes) return false;
  const trace::SliceId call = rank.timeline.launches.launch_of(slice);
  if (call == trace::kNoSlice || trace.dur_ns[slice] <= 0) return false;
  const double rate = static_cast<double>(bytes) / static_cast<double>(trace.dur_ns[slice]) * 1e9;
  return static_cast<double>(trace.dur_ns[call]) >= kStagedFrac * static_cast<double>(trace.dur_ns[slice]) &&
         trace.dur_ns[call] <= 2 * trace.dur_ns[slice] && rate <= kPageableBytesPerS;
}

Copies pageable_copies(const MeasuredRank& rank) {
  Copies out;
  const trace::RankTrace& trace = rank.trace();
  for (const trace::SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::copy) continue;
    const trace::CopyArgs* args = trace.copy_args(slice);
    const int64_t bytes = args != nullptr ? args->size_bytes : -1;
    if (!is_pageable(rank, slice, bytes, out.named)) continue;
    out.slices.push_back(slice);
    accumulate(out.dur_ns, trace.dur_ns[slice]);
    accumulate(out.bytes, std::max<int64_t>(bytes, 0));
    accumulate(out.exposed_ns,
               length_within_ns(rank.timeline.exposed_copy, {trace.start_ns[slice], trace.end_ns(slice)}));
  }
  std::ranges::stable_sort(out.slices,
                           [&](trace::SliceId a, trace::SliceId b) { return trace.dur_ns[a] > trace.dur_ns[b]; });
  return out;
}

std::optional<Finding> detect_pageable_copy(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  const Copies copies = pageable_copies(rank);
  if (copies.slices.empty()) return std::nullopt;
  const TimeNs blocked_ns = gap_ns(ledger, GapOwner::pageable_copy);
  const TimeNs loss_ns = add_saturated(copies.exposed_ns / ledger.steps, blocked_ns);
  const double loss = fraction(loss_ns, ledger.step_ns);
  if (loss < kLossFrac) return std::nullopt;

  Finding finding = finding_of("pageable_copy");
  finding.confidence =
      confidence_of({{loss, kLossFrac}}, evidence_quality(measured, ledger) * (copies.named ? 1.0 : 0.7));
  finding.cost_ns_per_step = loss_ns;
  std::vector<Span> spans;
  for (size_t i = 0; i < std::min<size_t>(3, copies.slices.size()); ++i)
    spans.push_back(span_of_slice(rank.trace(), copies.slices[i], rank.offset_ns));
  finding.evidence.push_back({"Copies from pageable memory stand exposed " +
                                  share_text(measured, loss_ns, ledger.step_ns) +
                                  ": the host stages them itself and is blocked meanwhile.",
                              std::move(spans)});
  if (copies.bytes > 0)
    finding.evidence.push_back(
        {bytes_text(copies.bytes / ledger.steps) + " a step at " +
             rate_text(static_cast<double>(copies.bytes) / static_cast<double>(copies.dur_ns) * 1e9) +
             "; pinned memory copies at 21 to 57 GB/s, beside the compute.",
         {}});
  finding.ruled_out.push_back(
      {"input_starvation",
       "the loader owns " + share_text(measured, gap_ns(ledger, GapOwner::data_loading), ledger.step_ns)});
  finding.ruled_out.push_back(
      {"sync_stalls", "the calls last as long as their copies: they do not wait for other work"});
  finding.what_if =
      per_step(ledger.step_ns, loss_ns, "exposed copies and the host's blocking in them taken off the step");
  return finding;
}

}  // namespace

Detector pageable_copy() { return {.cause = "pageable_copy", .detect = detect_pageable_copy}; }

}  // namespace td::analysis::detect
