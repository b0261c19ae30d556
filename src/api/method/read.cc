#include <algorithm>
#include <string>
#include <vector>

#include "api/method.h"
#include "api/read_traces.h"
#include "report/reading_json.h"
#include "report/reading_text.h"

namespace td::api::method {
namespace {

report::TextStyle style_of(const Json& text) {
  report::TextStyle style;
  style.colour = text["colour"].as_bool();
  style.columns = static_cast<int>(std::clamp<int64_t>(text["columns"].as_int(100), 60, 100));
  return style;
}

Result<Reply> handle(const Json& request, Io& io) {
  const std::vector<std::string> names = TRY(required_names(request, "files"));
  ReadTraces traces = TRY(read_traces(names, io));
  analysis::Facts facts = TRY(requested_facts(request, traces.trace, io));
  ReadTraces reference;
  if (!request["reference"].is_null()) {
    const std::vector<std::string> good = TRY(required_names(request, "reference"));
    reference = TRY(read_traces(good, io));
    facts.reference = &reference.trace;
  }
  const analysis::Reading reading = reading_of(std::move(traces), facts, io);
  Reply reply{report::reading_json(reading), {}};
  if (!request["text"].is_null()) reply.blob = report::reading_text(reading, style_of(request["text"]));
  return reply;
}

}  // namespace

// {"files":[...],"fabric":TEXT|null,"facts":PATH|null,"reference":[...]|null,"text":{"columns":100,"colour":false}|null}:
// the Reading; with "text" the blob is the same for a terminal. "reference" are files of the same job when it was well.
// Files that could not be read stand in "unread_files"; if none could, or the only one could not, that is the error.
Method read() { return {.name = "read", .summary = "reads traces of one job", .for_pages = false, .handle = handle}; }

}  // namespace td::api::method
