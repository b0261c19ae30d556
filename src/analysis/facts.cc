#include "analysis/facts.h"

#include <algorithm>
#include <string>

namespace td::analysis {

Result<Facts> facts_from_json(const Json& json) {
  Facts facts;
  if (const Json& gpu = json["gpu"]; !gpu.is_null()) {
    facts.gpu = hardware::find_gpu(gpu.as_string());
    if (facts.gpu == nullptr)
      return fail(ErrorCode::invalid_argument, "\"" + std::string(gpu.as_string()) + "\" is no GPU of the catalogue",
                  "facts.gpu");
  }
  const auto world_size = static_cast<int32_t>(std::clamp<int64_t>(json["world_size"].as_int(1), 1, 1 << 20));
  if (const Json& fabric = json["fabric"]; !fabric.is_null())
    facts.fabric = TRY(hardware::parse_fabric(fabric.as_string(), world_size, facts.gpu));
  return facts;
}

Status add_fabric(Facts& facts, std::string_view text, const trace::Trace& trace) {
  const hardware::Gpu* gpu = facts.gpu != nullptr ? facts.gpu : gpu_of(trace);
  facts.fabric = TRY(hardware::parse_fabric(text, world_size_of(trace), gpu));
  return {};
}

const hardware::Gpu* gpu_of(const trace::Trace& trace) {
  for (const trace::RankTrace& rank : trace.ranks)
    if (const hardware::Gpu* gpu = hardware::find_gpu_by_device_name(rank.device_name)) return gpu;
  return nullptr;
}

int32_t world_size_of(const trace::Trace& trace) {
  auto world_size = static_cast<int32_t>(trace.ranks.size());
  for (const trace::RankTrace& rank : trace.ranks) world_size = std::max(world_size, rank.world_size);
  return std::max(world_size, 1);
}

}  // namespace td::analysis
