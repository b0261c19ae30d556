// The views over past attempts as JSON, as docs/api.md describes them.
#pragma once

#include "base/json.h"
#include "drill/history.h"

namespace td::report {

// The reply of `history`, but for "ignored".
Json history_json(const drill::History& history);

}  // namespace td::report
