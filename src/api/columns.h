// The binary block of docs/api.md: the columns of a trace as the page wants them, little-endian and 8-aligned.
#pragma once

#include <string>

#include "trace/trace.h"

namespace td::api {

// The block of all ranks, in their order. Deterministic: equal traces give equal bytes.
std::string encode_columns(const trace::Trace& trace);

}  // namespace td::api
