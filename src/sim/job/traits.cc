#include "sim/job/traits.h"

#include <array>
#include <string>
#include <vector>

#include "base/math.h"

namespace td::sim {
namespace {

constexpr std::array kEightRanks = {
    Hardware{"h100_sxm", "nvlink", 3, 0, -1},     Hardware{"h200", "nvlink", 2, 0, -1},
    Hardware{"a100_80gb", "nvlink", 3, 0, -1},    Hardware{"b200", "nvlink", 2, 0, -1},
    Hardware{"h100_sxm", "2x4:ib400x4", 3, 0, 1}, Hardware{"h100_sxm", "2x4:ib200x4", 2},
    Hardware{"h100_sxm", "2x4:eth100x4", 2},      Hardware{"h100_sxm", "2x4:eth100x2", 1, 1},
    Hardware{"h200", "2x4:ib200x2", 1},           Hardware{"h200", "2x4:ib200x4", 2},
    Hardware{"h200", "2x4:eth100x4", 1},          Hardware{"h200", "2x4:eth100x2", 1, 1},
    Hardware{"a100_80gb", "2x4:eth100x2", 1, 1},  Hardware{"a100_80gb", "2x4:ib200x2", 2},
    Hardware{"a100_80gb", "2x4:eth100x4", 1},     Hardware{"a100_80gb", "2x4:eth100x1", 1, 1},
    Hardware{"a100_40gb", "2x4:eth100x4", 1},     Hardware{"a100_40gb", "2x4:ib200x2", 1},
    Hardware{"b200", "2x4:ib400x4", 2, 0, 1},     Hardware{"b200", "2x4:ib200x4", 1},
    Hardware{"b200", "2x4:eth100x4", 1},          Hardware{"l40s", "2x4:eth100x1", 1, 2},
    Hardware{"l40s", "2x4:eth25x4", 1, 2},
};

constexpr std::array kFourRanks = {
    Hardware{"h100_sxm", "nvlink", 3, 0, -1},     Hardware{"h200", "nvlink", 1, 0, -1},
    Hardware{"a100_80gb", "nvlink", 2, 0, -1},    Hardware{"b200", "nvlink", 1, 0, -1},
    Hardware{"h100_sxm", "2x2:ib400x2", 2, 0, 1}, Hardware{"h100_sxm", "2x2:ib200x2", 2},
    Hardware{"h100_sxm", "2x2:eth100x2", 1, 1},   Hardware{"h200", "2x2:ib200x2", 1},
    Hardware{"h200", "2x2:eth100x2", 1, 1},       Hardware{"a100_80gb", "2x2:eth100x1", 1, 1},
    Hardware{"a100_80gb", "2x2:ib200x1", 1},      Hardware{"a100_80gb", "2x2:eth100x2", 1, 1},
    Hardware{"a100_40gb", "2x2:ib200x1", 1},      Hardware{"b200", "2x2:ib400x2", 1, 0, 1},
    Hardware{"b200", "2x2:ib200x2", 1},           Hardware{"l40s", "2x2:eth100x1", 1, 2},
};

constexpr std::array kOneRank = {
    Hardware{"h100_sxm", "", 3},  Hardware{"h200", "", 1}, Hardware{"a100_80gb", "", 2},
    Hardware{"a100_40gb", "", 1}, Hardware{"b200", "", 1}, Hardware{"l40s", "", 2},
};

}  // namespace

std::span<const Hardware> stated_hardware(int32_t ranks) {
  if (ranks == 1) return kOneRank;
  if (ranks == 4) return kFourRanks;
  if (ranks == 8) return kEightRanks;
  return {};
}

Status set_hardware(const Hardware& hardware, int32_t ranks, Traits& traits) {
  traits.gpu = hardware::find_gpu(hardware.gpu);
  if (traits.gpu == nullptr) return fail(ErrorCode::internal, "no GPU " + std::string(hardware.gpu));
  if (hardware.fabric.empty()) {
    // One rank has no link to anybody; the text is that of a node with one GPU.
    const std::string_view inside = traits.gpu->scale_up_bytes_per_s > 0 ? "nvlink" : "pcie4";
    traits.fabric = TRY(hardware::parse_fabric(inside, 1, traits.gpu));
    return {};
  }
  traits.fabric = TRY(hardware::parse_fabric(hardware.fabric, ranks, traits.gpu));
  return {};
}

Result<Traits> draw_data_parallel_traits(RandomStream& stream) {
  constexpr int32_t kRanks = 8;
  constexpr double kShortestNs = 70e6;
  // Those that have both healthy and bandwidth-bound jobs.
  std::vector<Hardware> rows;
  for (const Hardware& hardware : kEightRanks) {
    for (int32_t i = 0; i < hardware.weight && hardware.longest_bound >= 1; ++i) rows.push_back(hardware);
  }
  const Hardware& hardware = rows[static_cast<size_t>(stream.uniform_int(0, std::ssize(rows) - 1))];
  Traits traits;
  TRY_OK(set_hardware(hardware, kRanks, traits));
  const double shortest_ns = hardware.shortest > 0 ? 200e6 : kShortestNs;
  const double longest_ns = hardware.longest_bound == 1 ? 150e6 : 400e6;
  traits.step_ns = round_to_int(shortest_ns * exp_exact(log_exact(longest_ns / shortest_ns) * stream.uniform()));
  return traits;
}

}  // namespace td::sim
