// Runs the programs of all ranks at once and records the timeline that falls out.
//
// A kernel starts at max(launch + latency, end of the stream's earlier work + gap, the events it waits for). Kernels of
// one stream run in order. A collective's kernel on a rank spans from that rank's arrival to the common end, which is
// the last arrival of its group plus the transfer. While a collective's kernel waits on a rank, that rank's compute
// runs at `waiting_rate`, and during the transfer at `compute_rate` (as far as the collective's footprint goes; several
// slow it down in turn); while any rank of its group computes, a transfer runs at `comm_rate`: durations follow from
// the integral of these rates over the overlap. Transfers do not slow each other. A launch into a full queue blocks the
// call; a sync blocks until the stream has drained.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/engine/loader.h"
#include "sim/engine/program.h"
#include "trace/trace.h"

namespace td::sim {

struct RankSpeed {
  double sm_clock = 1.0;  // 1 = nominal; compute-bound kernels stretch by its inverse
  double hbm = 1.0;
  double host = 1.0;
};

// The host does other work for so long in one step, where the program says so; step counts from the first warm-up step.
struct HostStall {
  int32_t step = -1;
  TimeNs dur_ns = 0;
};

// The batch that the first recorded step asks for first: it comes wait_ns late, and the loader's workers stand still
// for that long and for busy_ns more, while the process itself is busy with something else.
struct FirstBatch {
  TimeNs wait_ns = 0;
  TimeNs busy_ns = 0;
};

struct EngineConfig {
  std::vector<RankSpeed> ranks;
  std::vector<LoaderSpec> loaders = {};           // by rank; empty: on every rank the next batch is always ready
  std::vector<HostStall> stalls = {};             // by rank; empty: none
  std::vector<std::vector<Detour>> detours = {};  // by rank; empty: none
  std::vector<FirstBatch> first_batches = {};     // by rank; empty: like all others
  int32_t warmup_steps = 1;
  int32_t recorded_steps = 4;
  int32_t first_step_number = 0;  // ProfilerStep#N of the first recorded step
  TimeNs launch_latency_ns = 6400;
  TimeNs kernel_gap_ns = 1100;  // median gap between queued kernels
  int32_t queue_depth = 1024;   // launches that a stream holds before the call blocks
  double compute_rate = 0.87;
  double waiting_rate = 0.935;
  double comm_rate = 0.90;
  double kernel_sigma = 0.008;
  double host_sigma = 0.22;
  bool record_host = true;  // without it only the device's slices are kept
  uint64_t seed = 0;
};

// Where each rank's slices go: tracks must exist in the builders.
struct RankTracks {
  trace::TrackId threads[kThreadCount] = {0, 0};
  std::vector<trace::TrackId> streams;  // as many as the rank's program has
};

struct EngineResult {
  // Per rank, per recorded step: end of the last compute kernel that the step launched.
  std::vector<std::vector<TimeNs>> compute_end_ns;
  // Per rank: when the recording began and ended on the host.
  std::vector<TimeNs> window_begin_ns;
  std::vector<TimeNs> window_end_ns;
};

// Runs to the end of the last recorded step. `config.ranks`, `builders` and `tracks` have one entry a rank; slice times
// are engine time (0 = start of the first warm-up step). internal if a program never ends (a wait that nobody
// satisfies) or if the ranks of a group launch different collectives.
Result<EngineResult> run_engine(const Deployment& deployment, const EngineConfig& config,
                                std::span<trace::RankTraceBuilder> builders, std::span<const RankTracks> tracks);

}  // namespace td::sim
