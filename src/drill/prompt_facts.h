// What a prompt may say of a run, and what the run says of a colleague's theory: figures of the very simulation.
//
// No figure may decide. What a prompt states is had from the job's hardware, or compares the run with something that is
// as true of a healthy one: a plan (drawn), the same code on other hardware (by the cost model), the money that the
// time costs. The bytes of the gradients and the model's size are stated nowhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "sim/job/job.h"

namespace td::drill {

struct SimulatedInstance;

enum class Quantity : uint8_t {
  none,
  step_ms,            // mean step as traced
  steps_per_hour,     // at that pace
  kernels,            // compute kernels a step on the first rank
  run_days,           // what is left of the run (drawn)
  run_steps,          // steps in that time at the traced pace
  gpu_price,          // USD for one GPU and hour
  job_price,          // USD for all GPUs and an hour
  run_price,          // USD for all GPUs and what is left of the run
  plan_step_ms,       // what a plan promised for the step (drawn share of it)
  plan_over_percent,  // by which the traced step is over that plan
  other_percent,      // how much less time a step the same code takes on other hardware
  longest_us,         // the longest kernel of the first rank
  memory_percent,     // what the job needs of a GPU's memory
};

// A number in a prompt: text is how it is written there, value what it was written from.
struct Figure {
  Quantity quantity = Quantity::none;
  std::string text;
  int64_t value_millionths = 0;
};

// The same code on other hardware, by the cost model.
struct OtherMachine {
  std::string hardware;  // "8 x H200"
  std::string gpu;       // catalogue id
  Figure percent;
};

struct PromptFacts {
  // Said of every run.
  std::string hardware;  // "8 x H100 SXM"
  std::string fabric;    // "2 nodes of 4, one 100 GbE NIC a node, NVLink inside"; empty for one GPU
  std::string machine;   // both
  std::string job;       // "training job"
  std::string step;      // "step": the name of its unit of work
  bool ends = true;      // a run with an end, not a service
  int32_t gpus = 1;

  Figure step_ms;
  Figure steps_per_hour;
  Figure kernels;
  Figure run_days;
  Figure run_steps;
  Figure plan_step_ms;
  Figure plan_over_percent;
  Figure longest_us;
  Figure memory_percent;
  // Nothing for a GPU without a price here.
  struct Price {
    Figure gpu;
    Figure job;
    Figure run;
  };
  std::optional<Price> price;
  // Of a few GPUs of the catalogue that the job fits on, the one closest to a drawn ratio; nothing if none is close.
  std::optional<OtherMachine> other;

  // What refutes a theory; never printed in a prompt. Means a step, of the worst rank.
  TimeNs mean_step_ns = 0;
  TimeNs run_ahead_ns = 0;       // median of the first rank, launch call to kernel
  TimeNs longest_kernel_ns = 0;  // a single one
  TimeNs longest_family_ns = 0;  // all kernels of its name, a step
  TimeNs loader_idle_ns = 0;     // device idle while the host waits for a batch
  TimeNs allocator_idle_ns = 0;  // ... is in cudaMalloc, cudaFree and their kin
  TimeNs compile_idle_ns = 0;    // ... is in compile frames
  TimeNs sync_ns = 0;            // the first rank's host blocked in a call that waits for the device
  TimeNs sync_idle_ns = 0;       // of it, with the device idle
  TimeNs spread_ns = 0;          // most that a rank is ready after the first one
  TimeNs transfer_ns = 0;        // collectives: the shortest bars; 0 without
  TimeNs expected_transfer_ns = 0;
  bool compiled = false;
};

// Of a simulated run. The drawn figures belong to their own stream of the seed.
PromptFacts prompt_facts(const SimulatedInstance& instance, uint64_t seed);

// What an on-demand GPU costs an hour, in cents, by catalogue id; 0 if it is not known. Round figures from public price
// lists of 2024 and 2025, for the stories: no bill.
int64_t gpu_cents_per_hour(std::string_view gpu);

}  // namespace td::drill
