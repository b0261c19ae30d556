#include "api/columns.h"
#include "api/method.h"
#include "api/request.h"
#include "drill/drill.h"
#include "report/drill_json.h"

namespace td::api::method {
namespace {

// Simulates, answers with what a learner may see, and lets the truth go.
Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const drill::Exercise exercise = TRY(drill::open_drill(name));
  return Reply{.json = report::exercise_json(name, exercise), .blob = encode_columns(exercise.trace)};
}

Result<std::string> cache_key(const Json& request) { return drill::to_string(TRY(required_drill(request))); }

}  // namespace

Method open() {
  return {.name = "open",
          .summary = "A drill: prompt, facts and timeline",
          .for_pages = true,
          .simulates = true,
          .handle = handle,
          .cache_key = cache_key};
}

}  // namespace td::api::method
