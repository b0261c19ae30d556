// Ties up what one pass over the events could not know: rows and their names, ranks, arrows.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/chrome_json/header.h"
#include "formats/chrome_json/mapped.h"
#include "trace/trace.h"

namespace td::formats::chrome {

// The ranks that the file holds, in the order in which it names them. `mapped` is used up; its
// begin/end pairs must have been made (pairs.h). malformed if no event has a plausible time (plausible.h), or
// if there are more than 65,536 ranks.
Result<std::vector<trace::RankTrace>> finish(Mapped& mapped, const Header& header, std::string_view file_name);

}  // namespace td::formats::chrome
