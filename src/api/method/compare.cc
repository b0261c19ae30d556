#include "analysis/compare.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/method.h"
#include "api/read_traces.h"
#include "report/compare_report.h"
#include "report/reading_json.h"

namespace td::api::method {
namespace {

Result<analysis::Reading> read_side(const Json& request, std::string_view key, Io& io) {
  const std::vector<std::string> names = TRY(required_names(request, key));
  ReadTraces traces = TRY(read_traces(names, io));
  const analysis::Facts facts = TRY(requested_facts(request, traces.trace, io));
  return reading_of(std::move(traces), facts, io);
}

Result<Reply> handle(const Json& request, Io& io) {
  const analysis::Reading before = TRY(read_side(request, "before", io));
  const analysis::Reading after = TRY(read_side(request, "after", io));
  const analysis::Comparison comparison = analysis::compare(before, after);
  Json json = report::comparison_json(comparison);
  json.set("before", report::reading_json(before)).set("after", report::reading_json(after));
  Reply reply{std::move(json), {}};
  if (const Json& text = request["text"]; !text.is_null()) {
    report::TextStyle style;
    style.colour = text["colour"].as_bool();
    style.columns = static_cast<int>(std::clamp<int64_t>(text["columns"].as_int(100), 60, 100));
    reply.blob = report::comparison_text(comparison, style);
  }
  return reply;
}

}  // namespace

// {"before":[...],"after":[...],"fabric":TEXT|null,"facts":PATH|null,"text":...|null}: verdict, ledgers side by side,
// and both readings.
Method compare() {
  return {.name = "compare", .summary = "compares two captures of one job", .for_pages = false, .handle = handle};
}

}  // namespace td::api::method
