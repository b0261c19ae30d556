#include "drill/contrast.h"
#include "api/columns.h"
#include "api/method.h"
#include "api/request.h"
#include "report/contrast_json.h"

namespace td::api::method {
namespace {

// As `open`: simulates, answers with what a learner may see, and lets the truth go.
Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const drill::Contrast contrast = TRY(drill::open_contrast(name));
  std::string blob = encode_columns(contrast.a.trace);
  blob.append((8 - blob.size() % 8) % 8, '\0');  // the columns of a block are aligned from its start
  const size_t second_at_bytes = blob.size();
  blob += encode_columns(contrast.b.trace);
  return Reply{.json = report::contrast_json(name, contrast, second_at_bytes), .blob = std::move(blob)};
}

Result<std::string> cache_key(const Json& request) { return drill::to_string(TRY(required_drill(request))); }

}  // namespace

Method contrast() {
  return {.name = "contrast",
          .summary = "Two runs of a drill's job side by side, one of them with the fix applied",
          .for_pages = true,
          .simulates = true,
          .handle = handle,
          .cache_key = cache_key};
}

}  // namespace td::api::method
