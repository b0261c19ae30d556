// What only a whole stream tells: communication under an annotation, kernels that overlap.
#pragma once

#include "formats/problems.h"
#include "trace/trace.h"

namespace td::formats::chrome {

// An annotation "nccl:all_reduce" projected on a stream says what the kernel under it does. Fills in the collective of
// communication kernels whose name and metadata do not tell it (ncclDevKernel_Generic), and takes a kernel for
// communication that has no known name but is the annotation's only candidate. Where annotations nest, a kernel stands
// under the innermost one. O(n log n).
void apply_communication_annotations(trace::RankTrace& trace);

// Counts GPU work that starts on a stream before earlier work there has ended: "stream_overlap" is legal with
// programmatic dependent launch (some us), "stream_overrun" (over 1 ms) is a profiler's fault. Nothing is cut.
void note_stream_overlaps(const trace::RankTrace& trace, Problems& problems);

}  // namespace td::formats::chrome
