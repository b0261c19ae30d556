#include "api/method.h"
#include "api/request.h"
#include "drill/contrast.h"
#include "report/contrast_json.h"

namespace td::api::method {
namespace {

Result<drill::Side> required_side(const Json& request) {
  const std::string_view given = request["commit"]["side"].as_string();
  for (const drill::Side side : {drill::Side::a, drill::Side::b, drill::Side::neither}) {
    if (given == drill::to_string(side)) return side;
  }
  return fail(ErrorCode::invalid_argument, "expected \"a\", \"b\" or \"neither\"", "commit.side");
}

Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const drill::Answer answer = TRY(required_commit(request));
  const drill::Side side = TRY(required_side(request));
  const drill::ContrastReveal reveal = TRY(drill::reveal_contrast(name, {.side = side, .diagnosis = answer.diagnosis}));
  return Reply{.json = report::contrast_reveal_json(name, reveal), .blob = {}};
}

}  // namespace

Method contrast_reveal() {
  return {.name = "contrast_reveal",
          .summary = "Which run of a contrast has something wrong, the truth, and the verdict on a commit",
          .for_pages = true,
          .simulates = true,
          .handle = handle};
}

}  // namespace td::api::method
