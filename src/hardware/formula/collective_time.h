// How long a collective takes once the last rank has arrived, for the three kinds of fabric.
//
// All take S in bytes as nccl-tests defines it (the whole buffer) and return microseconds, latency included.
#pragma once

#include "hardware/fabric.h"

namespace td::hardware {

// One NVLink node of n GPUs. Interpolates, in log-log, the sizes of 8-GPU all-reduces measured on A100 (ring) and H200
// (in-switch reduction); other generations scale what lies above the latency floor by their plateau. Other collectives
// take the ring plateau, since the switch reduces only for all-reduce and only above 4 GPUs (5 on Blackwell).
// Source: stas00/ml-engineering, network, "Real network throughput" and "SHARP".
double nvlink_node_us(Collective collective, double size_bytes, int32_t n, const Gpu& gpu);

// One PCIe box: a ring over the root complex, min over the protocols LL and Simple of alpha + factor S / B, where B is
// 0.85 of a pinned copy's rate (both directions at once) and LL has half of it.
// Source: NVIDIA/nccl src/graph/tuning.cc (base and hop latencies).
double pcie_node_us(Collective collective, double size_bytes, const Fabric& fabric);

// Several nodes: min over ring and tree, LL and Simple. B = min(bus bandwidth inside the node, NICs x usable rate): of
// a ring all-reduce, factor x S leaves each node, whether over one NIC or over one a GPU.
// Source: NVIDIA/nccl src/graph/tuning.cc; Ethernet adds its kernel's network stack to each hop.
double between_nodes_us(Collective collective, double size_bytes, const Fabric& fabric, const Gpu& gpu);

// The bus bandwidth of large messages inside a node, bytes per second.
double plateau_bytes_per_s(Collective collective, int32_t n, const Gpu& gpu);

}  // namespace td::hardware
