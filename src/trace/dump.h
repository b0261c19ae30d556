// A trace as canonical text: what golden tests diff and the determinism hash covers.
#pragma once

#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace td::trace {

// One line a track and slice, sorted, ids left out where they are arbitrary. Equal traces give equal text.
std::string dump(const RankTrace& trace);

// 64-bit FNV-1a over the dumps of all ranks.
uint64_t hash_of(const Trace& trace);

}  // namespace td::trace
