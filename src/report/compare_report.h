// A comparison of two readings as JSON and for a terminal.
#pragma once

#include <string>

#include "analysis/compare.h"
#include "base/json.h"
#include "report/reading_text.h"

namespace td::report {

Json comparison_json(const analysis::Comparison& comparison);
std::string comparison_text(const analysis::Comparison& comparison, const TextStyle& style);

}  // namespace td::report
