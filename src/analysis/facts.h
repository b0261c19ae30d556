// What no trace holds but a reading may be told: which GPU it is, what connects the ranks, how the
// same job runs when it is well.
#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "trace/trace.h"

namespace td::analysis {

struct Facts {
  const hardware::Gpu* gpu = nullptr;  // nullptr: take it from the trace's device name
  std::optional<hardware::Fabric> fabric;
  const trace::Trace* reference = nullptr;  // the same job when it was well, to compare kernels with; outlives the call
};

// From the `facts` object of a drill.json: {"gpu":"h100_sxm","fabric":"2x4:eth100x1","world_size":8}. Members that are
// absent or null stay unknown; others are ignored. invalid_argument for a GPU or fabric that is not in the catalogue.
Result<Facts> facts_from_json(const Json& json);

// Adds the fabric of `--fabric TEXT`, sized by the trace's world size, its GPU taken from the trace if `facts` has
// none.
Status add_fabric(Facts& facts, std::string_view text, const trace::Trace& trace);

// The GPU that the first rank names, or nullptr.
const hardware::Gpu* gpu_of(const trace::Trace& trace);

// How many ranks the job had: the largest world size that a rank states, else the ranks that are here.
int32_t world_size_of(const trace::Trace& trace);

}  // namespace td::analysis
