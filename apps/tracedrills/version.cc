#include "tracedrills/version.h"

namespace td::app {

std::string_view version() { return TD_VERSION; }  // from project() in CMakeLists.txt

}  // namespace td::app
