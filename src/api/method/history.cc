#include <string>
#include <vector>

#include "api/method.h"
#include "drill/history.h"
#include "report/history_json.h"

namespace td::api::method {
namespace {

// Beyond any attempt: a clock that was left running over a year.
constexpr int64_t kLongestMs = int64_t{366} * 24 * 3600 * 1000;

// Why an attempt cannot be counted; empty if it can.
std::string read_attempt(const Json& json, drill::Attempt& attempt) {
  if (json.kind() != Json::Kind::object) return "is no object";
  attempt.cause = json["cause"].as_string();
  attempt.diagnosis = json["diagnosis"].as_string();
  if (!drill::is_known(attempt)) return "has a cause or a diagnosis that the catalogue does not have";
  for (size_t i = 0; i < drill::kPartIds.size(); ++i) {
    const std::optional<drill::Grade> grade = drill::parse_grade(json["grades"][drill::kPartIds[i]].as_string());
    if (!grade) return "has no grade for " + std::string(drill::kPartIds[i]);
    attempt.grades[i] = *grade;
  }
  attempt.elapsed_ms = json["elapsed_ms"].as_int(-1);
  if (attempt.elapsed_ms < 0 || attempt.elapsed_ms > kLongestMs) return "has no elapsed_ms";
  attempt.timed = json["timed"].as_bool();
  attempt.in_time = json["in_time"].as_bool();
  attempt.counts = json["counts"].as_bool(true);
  const int64_t confidence = json["confidence_percent"].as_int(-1);
  if (confidence >= 0 && confidence <= 100) attempt.confidence_percent = static_cast<int32_t>(confidence);
  return {};
}

// An attempt that cannot be read is left out and told: a history of years may hold causes that are no more.
Result<Reply> handle(const Json& request, Io&) {
  const Json& given = request["attempts"];
  if (given.kind() != Json::Kind::array) {
    return fail(ErrorCode::invalid_argument, "missing, expected an array of attempts", "attempts");
  }
  std::vector<drill::Attempt> attempts;
  Json ignored = Json::array();
  for (size_t i = 0; i < given.items().size(); ++i) {
    drill::Attempt attempt;
    std::string why = read_attempt(given.items()[i], attempt);
    if (why.empty()) {
      attempts.push_back(std::move(attempt));
      continue;
    }
    Json row = Json::object();
    row.set("index", Json::integer(static_cast<int64_t>(i))).set("why", Json::string(why));
    ignored.push(std::move(row));
  }
  Json json = report::history_json(drill::view_history(attempts));
  json.set("ignored", std::move(ignored));
  return Reply{.json = std::move(json), .blob = {}};
}

}  // namespace

Method history() {
  return {.name = "history",
          .summary = "Views over past attempts: accuracy and time per cause, and what is called what",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
