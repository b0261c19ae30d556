// The invariants of a trace as one function: readers', simulator's and fuzzers' tests all call it.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.h"

namespace td::trace {

enum class Strictness {
  recorded,   // what clocks, PDL and CUDA graphs can break is not checked
  simulated,  // also: streams in order without overlap, no kernel before its launch, every rank in each collective
};

struct Violation {
  std::string rule;  // "stream_overlap", "bad_track_id"
  std::string text;  // one sentence with numbers
  int32_t rank = -1;
  SliceId slice = kNoSlice;
};

// All violations, at most `limit` of them; empty means that the trace is sound.
std::vector<Violation> check_trace(const Trace& trace, Strictness strictness, size_t limit = 20);

}  // namespace td::trace
