// B and E events -> slices.
#pragma once

#include "formats/chrome_json/mapped.h"

namespace td::formats::chrome {

// Pairs them by track in order of time and adds the slices. An E closes the innermost open B of its name (any, if it
// has none), and with it what is still open inside; one that finds nothing is ignored. A B without an end lasts until
// the last mark of its track. Both are counted.
void pair_begin_ends(Mapped& mapped);

}  // namespace td::formats::chrome
