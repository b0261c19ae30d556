#pragma once

#include <string_view>

namespace td::app {

// The project's version, "0.1.0".
std::string_view version();

}  // namespace td::app
