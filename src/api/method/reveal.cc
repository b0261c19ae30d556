#include "api/columns.h"
#include "api/method.h"
#include "api/request.h"
#include "drill/drill.h"
#include "report/drill_json.h"

namespace td::api::method {
namespace {

Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const drill::Answer answer = TRY(required_commit(request));
  const drill::Reveal reveal = TRY(drill::reveal_drill(name, answer));
  return Reply{.json = report::reveal_json(name, reveal), .blob = encode_columns(reveal.fixed.trace)};
}

}  // namespace

Method reveal() {
  return {.name = "reveal",
          .summary = "The truth of a drill, the verdict on a commit, and the timeline with the fix applied",
          .for_pages = true,
          .simulates = true,
          .handle = handle};
}

}  // namespace td::api::method
