// What connects the ranks of a job, and how long a collective takes on it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "hardware/gpu.h"

namespace td::hardware {

// A kind of link. NVLink's and xGMI's rate belongs to the GPU (Gpu::scale_up_bytes_per_s).
struct Link {
  std::string_view id;            // "nvlink", "xgmi", "pcie4", "pcie5", "ib200", "ib400", "eth25", "eth100"
  std::string_view title;         // "100 GbE"
  double label_bytes_per_s = 0;   // one way; 0 for nvlink
  double usable_bytes_per_s = 0;  // one way, large messages
  bool between_nodes = false;
};
// Between the GPUs of a node, by a rate of the GPU's own (NVLink, xGMI).
bool is_scale_up(const Link& link);
std::span<const Link> all_links();
const Link* find_link(std::string_view id);  // or nullptr

// `nodes` nodes of `gpus_per_node`; inside a node `intra`, between nodes `nics_per_node` NICs of `inter` each.
struct Fabric {
  const Link* intra = nullptr;
  const Link* inter = nullptr;  // nullptr when nodes == 1
  int32_t nodes = 1;
  int32_t gpus_per_node = 1;
  int32_t nics_per_node = 0;

  [[nodiscard]] int32_t world_size() const { return nodes * gpus_per_node; }
};

// The fabric from a short text, for `--fabric` and drill.json: "nvlink", "pcie4" (one node of `world_size`),
// "2x4:eth100x1" (nodes x GPUs : link x NICs a node, NVLink or PCIe inside by the GPU), "ib400" and "eth100" alone
// (two nodes; one NIC a GPU for ib*, one a node for eth*). invalid_argument names the valid link ids.
Result<Fabric> parse_fabric(std::string_view text, int32_t world_size, const Gpu* gpu);
// The text that parse_fabric reads back ("2x4:eth100x1").
std::string fabric_text(const Fabric& fabric);
// In words, for prompts: "2 nodes of 4, one 100 GbE NIC a node, NVLink inside".
std::string describe(const Fabric& fabric);

enum class Collective : uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, send_recv };

// busbw / algbw: all_reduce 2(n-1)/n; all_gather, reduce_scatter, all_to_all (n-1)/n; else 1. n >= 1.
// Source: nccl-tests doc/PERFORMANCE.md.
double busbw_factor(Collective collective, int32_t n);

// Time from the last arrival to the common end, without contention, for S = size_bytes (nccl-tests' S, the whole
// buffer) over all ranks of the fabric: measured size curves inside an NVLink node, alpha + factor S / B between nodes.
TimeNs transfer_ns(Collective collective, int64_t size_bytes, const Fabric& fabric, const Gpu& gpu);

// The bus bandwidth that transfer_ns comes to at this size.
double expected_busbw_bytes_per_s(Collective collective, int64_t size_bytes, const Fabric& fabric, const Gpu& gpu);

}  // namespace td::hardware
