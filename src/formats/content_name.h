// What a file is that we do not read, for messages that help.
#pragma once

#include <string>
#include <string_view>

namespace td::formats {

// "a PyTorch execution trace (\"nodes\")", "an SQLite database", "text that is not JSON"; from the first bytes.
std::string name_content(std::string_view first_bytes);

// First key of the JSON object that `bytes` begin with (after white space and a BOM), else "".
std::string_view first_json_key(std::string_view bytes);

// `bytes` without a UTF-8 byte order mark and white space in front.
std::string_view skip_front(std::string_view bytes);

}  // namespace td::formats
