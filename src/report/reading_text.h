// A Reading for the terminal: the fixed order, at most 100 columns wide.
#pragma once

#include <string>

#include "analysis/reading.h"

namespace td::report {

struct TextStyle {
  bool colour = false;  // ANSI colours; only for a terminal
  int columns = 100;    // 60 to 100
};

// 0 trust, 1 step boundary, 2 gap ledger with owners, 3 overlap, 4 longest kernels, 5 findings; ends with a newline.
// Places are given as the file's own timestamps (us), so that they can be found in it.
std::string reading_text(const analysis::Reading& reading, const TextStyle& style = {});

}  // namespace td::report
