#include "analysis/host_tree.h"

#include <array>

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// What a name says by itself; `other` if nothing.
Phase phase_by_name(SliceKind kind, std::string_view name) {
  if (kind == SliceKind::loader || trace::is_loader_wait(name)) return Phase::data;
  if (name.starts_with("Optimizer.step")) return Phase::optimizer;
  if (name.starts_with("autograd::engine::evaluate_function")) return Phase::backward;
  if (kind != SliceKind::annotation) return Phase::other;
  if (name.starts_with("Optimizer.") || name.starts_with("ProfilerStep")) return Phase::other;
  if (contains(name, "backward") || contains(name, "Backward")) return Phase::backward;
  if (contains(name, "optimizer") || contains(name, "optim_step")) return Phase::optimizer;
  if (contains(name, "forward") || contains(name, "Forward")) return Phase::forward;
  return Phase::other;
}

}  // namespace

std::string_view to_string(Phase phase) {
  constexpr std::array<std::string_view, kPhaseCount> kNames = {"other", "data", "forward", "backward", "optimizer"};
  return kNames[static_cast<size_t>(phase)];
}

HostTree::HostTree(const trace::RankTrace& rank)
    : parent_(rank.slice_count(), trace::kNoSlice), phase_(rank.slice_count(), Phase::other) {
  std::vector<SliceId> open;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::host_thread) continue;
    open.clear();
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      if (!trace::is_host(rank.kind[slice])) continue;
      while (!open.empty() && rank.end_ns(open.back()) <= rank.start_ns[slice] &&
             rank.end_ns(open.back()) < rank.end_ns(slice))
        open.pop_back();
      if (!open.empty()) {
        parent_[slice] = open.back();
        phase_[slice] = phase_[open.back()];
      }
      const Phase own = phase_by_name(rank.kind[slice], rank.name_of(slice));
      if (own != Phase::other) phase_[slice] = own;
      tells_phases_ = tells_phases_ || own == Phase::backward || own == Phase::optimizer;
      open.push_back(slice);
    }
  }
  if (!tells_phases_) return;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice)
    if (trace::is_host(rank.kind[slice]) && phase_[slice] == Phase::other) phase_[slice] = Phase::forward;
}

SliceId HostTree::top_op_of(const trace::RankTrace& rank, SliceId host_slice) const {
  SliceId top = trace::kNoSlice;
  for (SliceId at = host_slice; at != trace::kNoSlice; at = parent_[at])
    if (rank.kind[at] == SliceKind::host_op && !rank.name_of(at).starts_with("ProfilerStep") &&
        !rank.name_of(at).starts_with("Optimizer."))
      top = at;
  return top;
}

}  // namespace td::analysis
