// What goes wrong: one file a fault. A fault changes what a resource can do, or what the program asks for, before the
// run begins; whatever it does to other ranks emerges from the simulation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sim/job/allocator.h"
#include "sim/job/job.h"

namespace td::sim {

// What each resource can do, healthy by default: factors in permille of nominal.
struct RankResources {
  int32_t sm_clock_permille = 1000;  // compute-bound kernels stretch by its inverse
  int32_t hbm_permille = 1000;
  int32_t host_speed_permille = 1000;
  int32_t compile_step = -1;  // recorded step in which a guard fails and the host compiles for compile_ns
  TimeNs compile_ns = 0;
  LoaderSpec loader = {};  // in place of the job's, if modelled
  std::vector<AllocatorMiss> misses = {};
  TimeNs guard_ns = 0;  // a guard fails in every step, and the host compiles for so long
  int32_t batch = 0;    // in place of the job's, if positive
};
struct Machine {
  std::vector<RankResources> ranks;
};

// A fault with its drawn parameters: {"rank", 5}, {"factor_permille", 712}. Plain data, so that truth can print it.
struct FaultInstance {
  std::string fault;  // id, the file's name
  std::vector<std::pair<std::string, int64_t>> numbers;
  std::vector<std::pair<std::string, std::string>> words;  // {"fabric", "2x4:eth100x1"}

  [[nodiscard]] int64_t number(std::string_view key, int64_t otherwise = 0) const;
  [[nodiscard]] std::string_view word(std::string_view key) const;
};

// Each file fault/ID.cc defines `Fault td::sim::fault::ID()`.
struct Fault {
  std::string_view id;  // "slow_clock"
  Status (*apply)(const FaultInstance& instance, Machine& machine, Job& job) = nullptr;
};
std::span<const Fault> all_faults();
const Fault* find_fault(std::string_view id);

}  // namespace td::sim
