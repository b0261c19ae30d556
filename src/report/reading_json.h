// A Reading as JSON: the contract of docs/reading.md, field by field.
#pragma once

#include "analysis/reading.h"
#include "base/json.h"

namespace td::report {

// Integers are nanoseconds, bytes or counts; fractions and rates have six decimals; what is not known is null.
Json reading_json(const analysis::Reading& reading);

Json span_json(const analysis::Span& span);
Json finding_json(const analysis::Finding& finding);

}  // namespace td::report
