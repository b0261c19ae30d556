// Reading requests: a member that is absent or of the wrong kind is the caller's error and says so.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "drill/deck.h"
#include "drill/grade.h"
#include "formats/format.h"

namespace td::api {

// The string member `key`; invalid_argument if it is absent or no string. Lives as long as `request`.
Result<std::string_view> required_string(const Json& request, std::string_view key);

// The member "drill" as a name.
Result<drill::DrillName> required_drill(const Json& request);

// The member "commit". Unknown ids, empty intervals and absurd numbers are invalid_argument and list what is valid.
Result<drill::Answer> required_commit(const Json& request);

// A format that can be written. unsupported lists those.
Result<const formats::Format*> writable_format(std::string_view id);

}  // namespace td::api
