// Perfetto protobuf -> RankTrace.
#pragma once

#include <vector>

#include "base/io.h"
#include "base/result.h"
#include "trace/trace.h"

namespace td::formats::perfetto {

// Our own files give back the ranks that were written. Of others, each process with GPU work is a rank; where none has
// any, all is one. malformed if nothing that has a time is in it.
Result<std::vector<trace::RankTrace>> read(Source& source, Progress& progress);

}  // namespace td::formats::perfetto
