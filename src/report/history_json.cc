#include "report/history_json.h"

#include "catalog/catalog.h"

namespace td::report {
namespace {

Json count(int32_t value) { return Json::integer(value); }
Json time_or_null(const std::optional<int64_t>& ms) { return ms ? Json::integer(*ms) : Json(); }

std::string_view title_of(std::string_view id) {
  const catalog::Cause* cause = catalog::find_cause(id);
  return cause == nullptr ? id : cause->title;
}

Json cause_json(const drill::CauseView& view) {
  Json json = Json::object();
  json.set("cause", Json::string(view.cause))
      .set("title", Json::string(title_of(view.cause)))
      .set("attempts", count(view.attempts))
      .set("right", count(view.right))
      .set("in_time", count(view.in_time))
      .set("median_ms", time_or_null(view.median_ms));
  return json;
}

Json matrix_json(const drill::History& history) {
  Json diagnoses = Json::array();
  for (const std::string& id : history.diagnoses) diagnoses.push(Json::string(id));
  Json counts = Json::array();
  for (const std::vector<int32_t>& row : history.matrix) {
    Json cells = Json::array();
    for (const int32_t cell : row) cells.push(count(cell));
    counts.push(std::move(cells));
  }
  Json json = Json::object();
  json.set("diagnoses", std::move(diagnoses)).set("counts", std::move(counts));
  return json;
}

Json parts_json(const drill::History& history) {
  Json json = Json::array();
  for (const drill::PartView& view : history.parts) {
    Json row = Json::object();
    row.set("part", Json::string(view.part))
        .set("asked", count(view.asked))
        .set("right", count(view.right))
        .set("close", count(view.close));
    json.push(std::move(row));
  }
  return json;
}

Json confidences_json(const drill::History& history) {
  Json json = Json::array();
  for (const drill::ConfidenceView& view : history.confidences) {
    Json row = Json::object();
    row.set("confidence_percent", count(view.confidence_percent))
        .set("attempts", count(view.attempts))
        .set("right", count(view.right));
    json.push(std::move(row));
  }
  return json;
}

}  // namespace

Json history_json(const drill::History& history) {
  Json causes = Json::array();
  for (const drill::CauseView& view : history.causes) causes.push(cause_json(view));
  Json json = Json::object();
  json.set("attempts", count(history.attempts))
      .set("retries", count(history.retries))
      .set("right", count(history.right))
      .set("in_time", count(history.in_time))
      .set("median_ms", time_or_null(history.median_ms))
      .set("causes", std::move(causes))
      .set("matrix", matrix_json(history))
      .set("parts", parts_json(history))
      .set("confidences", confidences_json(history));
  return json;
}

}  // namespace td::report
