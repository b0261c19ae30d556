// The repeating sequence of kernel names: where steps are when nobody marked them (serving traces, mostly).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace td::analysis {

struct Motif {
  size_t period = 0;  // kernels in one repetition
  size_t first = 0;   // index of the first kernel of the first repetition
  size_t count = 0;   // repetitions, all complete
};

// The period whose repetitions match best (the shortest of equally good ones). It must repeat at least three times,
// match in nine of ten kernels and cover four fifths of the sequence; nothing if there is none. O(n) times a bounded
// number of candidate periods.
//   names  kernel name ids in order of start
std::optional<Motif> find_motif(const std::vector<uint32_t>& names);

}  // namespace td::analysis
