// What is seen of a job before anything is read off its timeline: model, hardware, parallelism, how it is run, how long
// a step takes and how many are shown. Drawn before the job, so that a cause can have any of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/job/job.h"

namespace td::sim {

struct Traits {
  Work work = Work::training;
  Family family = Family::decoder;
  Execution execution = Execution::eager;
  Parallelism parallelism = {};
  const hardware::Gpu* gpu = nullptr;
  hardware::Fabric fabric = {};  // as a prompt states it
  TimeNs step_ns = 0;            // about how long a step of the trace takes, fault included
  bool loader = false;           // worker processes make the batches; otherwise one is always ready
  int32_t warmup_steps = 1;
  int32_t recorded_steps = 4;
};

// What a prompt may state together, with a weight.
struct Hardware {
  std::string_view gpu;
  std::string_view fabric;  // parse_fabric's text; empty for one GPU
  int32_t weight = 1;
  // Shortest steps that healthy jobs have there, and longest that bandwidth-bound ones have: 0 short, 1 medium, 2 long
  // (drill/composition.cc says what that is), -1 none. On a slow link nothing hides in a short step, on a fast one
  // nothing that fits outlasts a long one.
  int32_t shortest = 0;
  int32_t longest_bound = 2;
};

// All hardware for jobs of `ranks` ranks: 1, 4 or 8. Empty for another number.
std::span<const Hardware> stated_hardware(int32_t ranks);

// Sets gpu and fabric. internal if the fabric's text does not fit the GPU (a mistake in the table).
Status set_hardware(const Hardware& hardware, int32_t ranks, Traits& traits);

// Eager data-parallel training of a decoder on 8 ranks, four steps of 70 to 400 ms: for tests, tables and deck first.1.
Result<Traits> draw_data_parallel_traits(RandomStream& stream);

}  // namespace td::sim
