// A framing = the story around a trace, shared between causes, filled with numbers of this very simulation. It never
// contradicts the trace and never decides it. Each file framing/ID.cc defines `Framing td::drill::framing::ID()`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace td::drill {

// What a prompt may say; everything is true of the simulated run.
struct PromptFacts {
  std::string model;     // "1.2 B decoder"
  std::string hardware;  // "8 x H100 SXM"
  std::string fabric;    // "2 nodes of 4, one 100 GbE NIC a node, NVLink inside"
  int32_t world_size = 0;
  int64_t mean_step_ns = 0;   // as traced
  int64_t tokens_per_s = 0;   // over all ranks, as traced
  int32_t mfu_permille = 0;   // as traced
  int32_t sync_permille = 0;  // share of a step that rank 0's host is blocked in waits for the device
};

struct Framing {
  std::string_view id;
  std::vector<std::string_view> causes;  // catalogue ids that it fits; at least three
  std::string (*prompt)(const PromptFacts& facts) = nullptr;
  // Whether the story is true of this run; nullptr: of every run. It must not depend on the cause.
  bool (*fits)(const PromptFacts& facts) = nullptr;
};

std::span<const Framing> all_framings();

}  // namespace td::drill
