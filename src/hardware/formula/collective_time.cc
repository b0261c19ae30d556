#include "hardware/formula/collective_time.h"

#include <algorithm>
#include <array>

#include "base/math.h"

namespace td::hardware {
namespace {

struct SizeTime {
  double size_bytes;
  double time_us;
};
using SizeTable = std::array<SizeTime, 10>;

constexpr double kMib = 1048576.0;
// 8-GPU all-reduce, time against size.
constexpr SizeTable kA100 = {{{32768, 44},
                              {262144, 61},
                              {1 * kMib, 102},
                              {4 * kMib, 102},
                              {16 * kMib, 277},
                              {32 * kMib, 424},
                              {64 * kMib, 685},
                              {128 * kMib, 1328},
                              {512 * kMib, 4218},
                              {4096 * kMib, 32136}}};
constexpr SizeTable kH200 = {{{32768, 40},
                              {262144, 40},  // measured 39; a curve that never falls keeps "more bytes, more time" true
                              {1 * kMib, 46},
                              {4 * kMib, 68},
                              {16 * kMib, 133},
                              {32 * kMib, 213},
                              {64 * kMib, 339},
                              {128 * kMib, 584},
                              {512 * kMib, 2086},
                              {4096 * kMib, 15887}}};

// Plateaus of the two tables, and of the parts that scale from them (hardware tables of the same source).
constexpr double kA100Plateau = 235e9;
constexpr double kHopperRing = 367e9;
constexpr double kHopperSwitch = 473e9;
constexpr double kMi300xPlateau = 313e9;
constexpr double kBlackwellRing = 682e9;
constexpr double kBlackwellSwitch = 838e9;

double interpolate_us(const SizeTable& table, double size_bytes) {
  if (size_bytes <= table.front().size_bytes) return table.front().time_us;
  if (size_bytes >= table.back().size_bytes) return table.back().time_us * size_bytes / table.back().size_bytes;
  size_t at = 1;
  while (table[at].size_bytes < size_bytes) ++at;
  const SizeTime& low = table[at - 1];
  const SizeTime& high = table[at];
  const double along = log_exact(size_bytes / low.size_bytes) / log_exact(high.size_bytes / low.size_bytes);
  return low.time_us * exp_exact(along * log_exact(high.time_us / low.time_us));
}

bool reduces_in_switch(Collective collective, int32_t n, const Gpu& gpu) {
  if (collective != Collective::all_reduce) return false;
  if (gpu.generation == Generation::hopper) return n > 4;
  return gpu.generation == Generation::blackwell && n > 5;
}

// Latencies of NCCL's tuner, in us: base, and a hop over each kind of link.
struct Protocol {
  double base_ring_us;
  double base_tree_us;
  double nvlink_hop_us;
  double pcie_hop_us;
  double net_ring_hop_us;
  double net_tree_hop_us;
  double rate_frac;  // of the full bandwidth
};
constexpr std::array kProtocols = {
    Protocol{6.6, 6.8, 0.6, 1.0, 2.7, 5.0, 0.5},    // LL
    Protocol{8.4, 8.4, 3.4, 5.7, 14.0, 14.0, 1.0},  // Simple
};
// A hop through the kernel's TCP stack costs this much more than one through a NIC with RDMA; our estimate.
constexpr double kSocketHopUs = 20.0;
// A tree moves as many bytes as a ring but keeps the links less evenly busy.
constexpr double kTreeRateFrac = 0.9;

double log2_exact(double x) { return log_exact(x) / log_exact(2.0); }

// Hops that one element makes in a ring: around once, or twice for an all-reduce.
double ring_rounds(Collective collective) { return collective == Collective::all_reduce ? 2 : 1; }

bool uses_tree(Collective collective) { return collective == Collective::all_reduce; }

constexpr double kPcieRingFrac = 0.85;

}  // namespace

double plateau_bytes_per_s(Collective collective, int32_t n, const Gpu& gpu) {
  const bool in_switch = reduces_in_switch(collective, n, gpu);
  switch (gpu.generation) {
    case Generation::hopper:
      return (in_switch ? kHopperSwitch : kHopperRing) * gpu.scale_up_bytes_per_s / 450e9;
    case Generation::blackwell:
      return (in_switch ? kBlackwellSwitch : kBlackwellRing) * gpu.scale_up_bytes_per_s / 900e9;
    case Generation::cdna2:
    case Generation::cdna3:
      // A mesh of point-to-point links: each pair has a seventh of the sum.
      return kMi300xPlateau * gpu.scale_up_bytes_per_s / 448e9 * std::min(n - 1, 7) / 7;
    default:
      return kA100Plateau * gpu.scale_up_bytes_per_s / 300e9;
  }
}

double nvlink_node_us(Collective collective, double size_bytes, int32_t n, const Gpu& gpu) {
  if (n <= 1 || gpu.scale_up_bytes_per_s <= 0) return 0;
  const bool ampere_like = gpu.generation < Generation::hopper;
  const SizeTable& table = ampere_like ? kA100 : kH200;
  const double table_plateau = ampere_like ? kA100Plateau : kHopperSwitch;
  const double floor_us = table.front().time_us;
  const double above_us = interpolate_us(table, size_bytes) - floor_us;
  const double traffic = busbw_factor(collective, n) / busbw_factor(Collective::all_reduce, 8);
  // Fewer ranks make fewer hops: half of the floor is launch and first hop, the rest goes with the rounds.
  const double hops = 0.5 + 0.5 * ring_rounds(collective) * (n - 1) / 14.0;
  return floor_us * hops + above_us * traffic * table_plateau / plateau_bytes_per_s(collective, n, gpu);
}

double pcie_node_us(Collective collective, double size_bytes, const Fabric& fabric) {
  const int32_t n = fabric.gpus_per_node;
  if (n <= 1) return 0;
  const double rate = fabric.intra->usable_bytes_per_s * kPcieRingFrac;
  double best_us = 0;
  for (const Protocol& protocol : kProtocols) {
    const double alpha_us = protocol.base_ring_us + ring_rounds(collective) * (n - 1) * protocol.pcie_hop_us;
    const double time_us = alpha_us + busbw_factor(collective, n) * size_bytes / (rate * protocol.rate_frac) * 1e6;
    if (best_us == 0 || time_us < best_us) best_us = time_us;
  }
  return best_us;
}

double between_nodes_us(Collective collective, double size_bytes, const Fabric& fabric, const Gpu& gpu) {
  const int32_t n = fabric.world_size();
  if (n <= 1) return 0;
  const bool nvlink = is_scale_up(*fabric.intra);
  double rate = fabric.inter->usable_bytes_per_s * fabric.nics_per_node;
  if (fabric.gpus_per_node > 1) {
    const double inside = nvlink ? plateau_bytes_per_s(Collective::all_gather, fabric.gpus_per_node, gpu)
                                 : fabric.intra->usable_bytes_per_s * kPcieRingFrac;
    if (inside > 0) rate = std::min(rate, inside);  // 0: NVLink stated for a part without it
  }
  const double socket_us = fabric.inter->id.starts_with("eth") ? kSocketHopUs : 0;
  const double wire_us = busbw_factor(collective, n) * size_bytes / rate * 1e6;
  const double nodes = fabric.nodes;
  double best_us = 0;
  const auto offer = [&](double time_us) {
    if (best_us == 0 || time_us < best_us) best_us = time_us;
  };
  for (const Protocol& protocol : kProtocols) {
    const double hop_us = nvlink ? protocol.nvlink_hop_us : protocol.pcie_hop_us;
    const double rounds = ring_rounds(collective);
    const double net_us = protocol.net_ring_hop_us + socket_us;
    offer(protocol.base_ring_us + rounds * (n - nodes) * hop_us + rounds * (nodes - 1) * net_us +
          wire_us / protocol.rate_frac);
    if (!uses_tree(collective)) continue;
    const double tree_net_us = protocol.net_tree_hop_us + socket_us;
    offer(protocol.base_tree_us + 2 * ((fabric.gpus_per_node - 1) * hop_us + log2_exact(nodes) * tree_net_us) +
          wire_us / (protocol.rate_frac * kTreeRateFrac));
  }
  return best_us;
}

}  // namespace td::hardware
