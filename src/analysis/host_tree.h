// Which host slice stands inside which, and in which part of the training loop: what a launch was made for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace td::analysis {

enum class Phase : uint8_t { other, data, forward, backward, optimizer };
inline constexpr size_t kPhaseCount = 5;
std::string_view to_string(Phase phase);

// Built once a rank, O(n).
class HostTree {
 public:
  explicit HostTree(const trace::RankTrace& rank);

  // The innermost host slice of the same thread around this one, or kNoSlice.
  [[nodiscard]] trace::SliceId parent_of(trace::SliceId host_slice) const { return parent_[host_slice]; }
  // By the names around the slice: Optimizer.step, autograd nodes or an annotation called backward, the loader, an
  // annotation or module called forward; `other` where none of them tells. Where the trace names backward or the
  // optimizer, work outside of them counts as forward.
  [[nodiscard]] Phase phase_of(trace::SliceId host_slice) const { return phase_[host_slice]; }
  // The outermost op (aten::..., autograd node) around a slice or itself; kNoSlice if there is none.
  [[nodiscard]] trace::SliceId top_op_of(const trace::RankTrace& rank, trace::SliceId host_slice) const;
  // True if backward or the optimizer is named anywhere.
  [[nodiscard]] bool tells_phases() const { return tells_phases_; }

 private:
  std::vector<trace::SliceId> parent_;
  std::vector<Phase> phase_;
  bool tells_phases_ = false;
};

}  // namespace td::analysis
