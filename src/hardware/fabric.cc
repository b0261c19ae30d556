#include "hardware/fabric.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/math.h"
#include "hardware/formula/collective_time.h"

namespace td::hardware {
namespace {

// Usable rates: 80 to 90 % of the label at large messages, one way (stas00/ml-engineering, network). PCIe: pinned
// copies in public traces, 21-26 GB/s on PCIe 4 and 50-57 on PCIe 5. 100 GbE: NCCL's NET_BW constant, 12 GB/s.
constexpr std::array kLinks = {
    Link{"nvlink", "NVLink", 0, 0, false},
    Link{"xgmi", "xGMI", 0, 0, false},
    Link{"pcie4", "PCIe 4 x16", 31.5e9, 24e9, false},
    Link{"pcie5", "PCIe 5 x16", 63e9, 53e9, false},
    Link{"ib200", "200 Gb/s InfiniBand", 25e9, 22.5e9, true},
    Link{"ib400", "400 Gb/s InfiniBand", 50e9, 45e9, true},
    Link{"eth25", "25 GbE", 3.125e9, 2.8e9, true},
    Link{"eth100", "100 GbE", 12.5e9, 12e9, true},
};

std::string link_ids() {
  std::string ids;
  for (const Link& link : kLinks) {
    if (!ids.empty()) ids += ", ";
    ids += link.id;
  }
  return ids;
}

std::unexpected<Error> bad_fabric(std::string_view text, std::string_view why) {
  return fail(ErrorCode::invalid_argument, "fabric \"" + std::string(text) + "\": " + std::string(why) +
                                               "; expected a link (" + link_ids() +
                                               ") or NODESxGPUS:LINKxNICS such as 2x4:eth100x1");
}

// "2x4" -> 2 and 4; both must be 1..4096.
bool parse_pair(std::string_view text, int32_t& first, int32_t& second) {
  const size_t cross = text.find('x');
  if (cross == std::string_view::npos) return false;
  const auto number = [](std::string_view digits, int32_t& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value >= 1 && value <= 4096;
  };
  return number(text.substr(0, cross), first) && number(text.substr(cross + 1), second);
}

// The link inside a node: NVLink where the GPU has it (or is unknown), else the PCIe of its generation.
const Link* link_inside(const Gpu* gpu) {
  if (gpu == nullptr) return find_link("nvlink");
  if (gpu->scale_up_bytes_per_s > 0) return find_link(is_amd(*gpu) ? "xgmi" : "nvlink");
  return find_link(gpu->generation >= Generation::hopper ? "pcie5" : "pcie4");
}

Result<Fabric> parse_short(std::string_view text, int32_t world_size, const Gpu* gpu) {
  const Link* link = find_link(text);
  if (link == nullptr) return bad_fabric(text, "unknown link");
  if (world_size < 1) return bad_fabric(text, "the number of ranks is unknown, so the nodes must be given");
  if (!link->between_nodes) {
    const bool has_it = gpu == nullptr || (gpu->scale_up_bytes_per_s > 0 && link->title == scale_up_name(*gpu));
    if (is_scale_up(*link) && !has_it) {
      return bad_fabric(text, std::string(gpu->title) + " has no " + std::string(link->title));
    }
    return Fabric{.intra = link, .inter = nullptr, .nodes = 1, .gpus_per_node = world_size, .nics_per_node = 0};
  }
  if (world_size % 2 != 0) return bad_fabric(text, "an odd number of ranks does not split over two nodes");
  const int32_t gpus_per_node = world_size / 2;
  const bool ethernet = link->id.starts_with("eth");
  return Fabric{.intra = link_inside(gpu),
                .inter = link,
                .nodes = 2,
                .gpus_per_node = gpus_per_node,
                .nics_per_node = ethernet ? 1 : gpus_per_node};
}

}  // namespace

bool is_scale_up(const Link& link) { return link.id == "nvlink" || link.id == "xgmi"; }

std::span<const Link> all_links() { return kLinks; }

const Link* find_link(std::string_view id) {
  for (const Link& link : kLinks) {
    if (link.id == id) return &link;
  }
  return nullptr;
}

Result<Fabric> parse_fabric(std::string_view text, int32_t world_size, const Gpu* gpu) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return parse_short(text, world_size, gpu);

  Fabric fabric;
  if (!parse_pair(text.substr(0, colon), fabric.nodes, fabric.gpus_per_node)) {
    return bad_fabric(text, "bad number of nodes or GPUs");
  }
  const std::string_view network = text.substr(colon + 1);
  const size_t cross = network.rfind('x');
  int32_t one = 0;
  const std::string nics = cross == std::string_view::npos ? "" : "1" + std::string(network.substr(cross));
  if (!parse_pair(nics, one, fabric.nics_per_node)) return bad_fabric(text, "bad number of NICs");
  fabric.inter = find_link(network.substr(0, cross));
  if (fabric.inter == nullptr || !fabric.inter->between_nodes) {
    return bad_fabric(text, "not a link between nodes");
  }
  if (fabric.nodes < 2) return bad_fabric(text, "one node needs no link between nodes");
  if (world_size >= 1 && fabric.world_size() != world_size) {
    return bad_fabric(
        text, "gives " + std::to_string(fabric.world_size()) + " ranks, the job has " + std::to_string(world_size));
  }
  fabric.intra = link_inside(gpu);
  return fabric;
}

std::string fabric_text(const Fabric& fabric) {
  if (fabric.inter == nullptr) return fabric.intra == nullptr ? "" : std::string(fabric.intra->id);
  return std::to_string(fabric.nodes) + "x" + std::to_string(fabric.gpus_per_node) + ":" +
         std::string(fabric.inter->id) + "x" + std::to_string(fabric.nics_per_node);
}

namespace {

// Beside a link's own number a digit would be misread: "2 200 Gb/s".
std::string small_count(int32_t count) {
  static constexpr std::array<std::string_view, 9> kWords = {"no",   "one", "two",   "three", "four",
                                                             "five", "six", "seven", "eight"};
  return count >= 0 && count < std::ssize(kWords) ? std::string(kWords[static_cast<size_t>(count)])
                                                  : std::to_string(count);
}

}  // namespace

std::string describe(const Fabric& fabric) {
  const std::string inside = fabric.intra == nullptr ? "" : std::string(fabric.intra->title);
  if (fabric.inter == nullptr) {
    return "one node of " + std::to_string(fabric.gpus_per_node) + ", " + inside;
  }
  std::string nics;
  if (fabric.nics_per_node == fabric.gpus_per_node && fabric.gpus_per_node > 1) {
    nics = "one " + std::string(fabric.inter->title) + " NIC a GPU";
  } else if (fabric.nics_per_node == 1) {
    nics = "one " + std::string(fabric.inter->title) + " NIC a node";
  } else {
    nics = small_count(fabric.nics_per_node) + " " + std::string(fabric.inter->title) + " NICs a node";
  }
  return std::to_string(fabric.nodes) + " nodes of " + std::to_string(fabric.gpus_per_node) + ", " + nics + ", " +
         inside + " inside";
}

double busbw_factor(Collective collective, int32_t n) {
  if (n <= 1)
    return collective == Collective::all_reduce || collective == Collective::all_gather ||
                   collective == Collective::reduce_scatter || collective == Collective::all_to_all
               ? 0
               : 1;
  const double ranks = n;
  switch (collective) {
    case Collective::all_reduce:
      return 2 * (ranks - 1) / ranks;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      return (ranks - 1) / ranks;
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::send_recv:
      return 1;
  }
  return 1;
}

TimeNs transfer_ns(Collective collective, int64_t size_bytes, const Fabric& fabric, const Gpu& gpu) {
  if (fabric.world_size() <= 1 || fabric.intra == nullptr) return 0;
  const double bytes = static_cast<double>(std::max<int64_t>(size_bytes, 0));
  if (fabric.inter != nullptr && fabric.nodes > 1) {
    return round_to_int(between_nodes_us(collective, bytes, fabric, gpu) * kNsPerUs);
  }
  if (is_scale_up(*fabric.intra)) {
    return round_to_int(nvlink_node_us(collective, bytes, fabric.gpus_per_node, gpu) * kNsPerUs);
  }
  return round_to_int(pcie_node_us(collective, bytes, fabric) * kNsPerUs);
}

double expected_busbw_bytes_per_s(Collective collective, int64_t size_bytes, const Fabric& fabric, const Gpu& gpu) {
  const TimeNs dur_ns = transfer_ns(collective, size_bytes, fabric, gpu);
  if (dur_ns <= 0) return 0;
  return busbw_factor(collective, fabric.world_size()) * static_cast<double>(size_bytes) * 1e9 /
         static_cast<double>(dur_ns);
}

}  // namespace td::hardware
