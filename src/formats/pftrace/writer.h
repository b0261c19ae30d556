// RankTrace -> Perfetto protobuf that its UI and trace processor load.
#pragma once

#include <span>

#include "base/io.h"
#include "base/result.h"
#include "trace/trace.h"

namespace td::formats::perfetto {

// Host rows as TrackEvents, GPU work as GpuRenderStageEvents (which may overlap), launches bound by gpu_correlation,
// times in exact nanoseconds. Reading the file again gives the same ranks, except for load problems. The same traces
// give the same bytes. Errors: invalid_argument without a rank or with clocks that no 64 bits hold; what the sink
// returns.
Status write(std::span<const trace::RankTrace* const> ranks, Sink& sink);

}  // namespace td::formats::perfetto
