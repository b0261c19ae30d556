// What to say when a name is not one of those that exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace td::app {

// `no command "raed"; did you mean "read"?`, or the whole list if nothing comes close.
std::string no_such(std::string_view kind, std::string_view word, std::span<const std::string_view> names);

}  // namespace td::app
