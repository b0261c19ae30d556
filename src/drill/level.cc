#include "drill/level.h"

#include <string>

namespace td::drill {

std::string_view to_string(Level level) { return level == Level::hard ? "hard" : "standard"; }

Result<Level> parse_level(std::string_view text) {
  for (const Level level : {Level::standard, Level::hard}) {
    if (to_string(level) == text) return level;
  }
  return fail(ErrorCode::invalid_argument, "level is " + quote_short(text) + ", expected standard or hard");
}

}  // namespace td::drill
