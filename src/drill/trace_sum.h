// The bridge to mental arithmetic: a sum with the numbers of a drill's trace, whose answer the timeline can be held to.
//
// It asks what may be asked of any trace of that job, whatever is wrong with it, and its working cites only what stands
// on the timeline; so neither the question nor the answer tells the cause.
#pragma once

#include <string_view>

#include "arithmetic/problem.h"
#include "base/result.h"
#include "drill/drill.h"

namespace td::drill {

enum class SumKind : uint8_t {
  time,  // how long should this collective (or, without one, this matrix product) take?
  rate,  // which share of the peak does this kernel reach, from its bytes or FLOPs and its time?
};

// A drill's name, with "/rate" behind it for that kind: "core.1/48213", "core.1/48213/rate".
struct SumName {
  DrillName drill;
  SumKind kind = SumKind::time;
};
Result<SumName> parse_sum_name(std::string_view text);

// unsupported if the trace holds nothing that such a sum could be about.
Result<arithmetic::Problem> trace_sum(const DrillName& name, const Exercise& exercise, SumKind kind);

}  // namespace td::drill
