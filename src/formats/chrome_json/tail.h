// The keys behind traceEvents, and how Kineto spells what the model holds as enumerations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome_json/writer.h"
#include "formats/rows.h"
#include "trace/trace.h"

namespace td::formats::chrome {

// schemaVersion, deviceProperties, distributedInfo, baseTimeNanoseconds, host_name and our own declaration, each with
// a comma in front.
std::string tail_text(std::span<const trace::RankTrace* const> ranks, const std::vector<RankRows>& rows,
                      const FileClock& clock);

// "_allgather_base", "BFloat16": as in Kineto's collective metadata.
std::string_view collective_text(trace::CollectiveKind kind);
std::string_view dtype_text(trace::DType dtype);

// 1500000 -> "1.5", exact.
std::string millionths_text(int64_t millionths);

}  // namespace td::formats::chrome
