// A framing = the story around a trace, shared between causes. It never contradicts the trace and never decides it.
// Each file framing/ID.cc defines `Framing td::drill::framing::ID()`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace td::drill {

// What a prompt may say: hardware and fabric, true of the simulated run, and no number of the run. The model's size
// (gradient bytes / busbw), or a rate of tokens beside an MFU, against the step time would tell a bandwidth-bound job
// from the others by arithmetic, and so nearly does the step time on a stated GPU and fabric. They are read off the
// trace.
struct PromptFacts {
  std::string hardware;       // "8 x H100 SXM"
  std::string fabric;         // "2 nodes of 4, one 100 GbE NIC a node, NVLink inside"
  int32_t sync_permille = 0;  // share of a step that rank 0's host is blocked in waits for the device; never printed
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
