// A contrast as JSON, as docs/api.md describes it.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "drill/contrast.h"

namespace td::report {

// The reply of `contrast`. `second_at_bytes` is where the second run's columns begin in the blob.
Json contrast_json(const drill::DrillName& name, const drill::Contrast& contrast, size_t second_at_bytes);
// The reply of `contrast_reveal`.
Json contrast_reveal_json(const drill::DrillName& name, const drill::ContrastReveal& reveal);

}  // namespace td::report
