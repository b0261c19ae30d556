// The same job over another link between its ranks.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine&, Job& job) {
  job.fabric = TRY(hardware::parse_fabric(instance.word("fabric"), job.fabric.world_size(), job.gpu));
  return {};
}

}  // namespace

Fault slow_fabric() { return {.id = "slow_fabric", .apply = apply}; }

}  // namespace td::sim::fault
