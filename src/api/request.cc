#include "api/request.h"

#include <string>

#include "catalog/catalog.h"

namespace td::api {
namespace {

// Beyond any trace and any sum: a request with more is a mistake, and our arithmetic stays far from its limits.
constexpr int64_t kLongestNs = int64_t{1} << 53;
constexpr int64_t kLongestMs = kLongestNs / 1000000;
constexpr int64_t kLargestMillionths = int64_t{1000000000} * 1000000;

std::unexpected<Error> bad(std::string_view key, std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message), std::string(key));
}

bool is_number(const Json& json) { return json.kind() == Json::Kind::integer || json.kind() == Json::Kind::fraction; }

// 80 and 80.0 are; 80.5 and "80" are not.
bool is_whole(const Json& json) { return is_number(json) && json.as_millionths() % 1000000 == 0; }

Result<std::string> optional_choice(const Json& commit, std::string_view key,
                                    std::span<const catalog::Choice> choices) {
  const Json& value = commit[key];
  if (value.is_null()) return std::string();
  if (value.kind() != Json::Kind::string)
    return bad("commit." + std::string(key), "expected an id as a string, or null");
  if (catalog::find_choice(choices, value.as_string()) != nullptr) return std::string(value.as_string());
  std::string ids;
  for (const catalog::Choice& choice : choices) ids += (ids.empty() ? "" : ", ") + std::string(choice.id);
  return bad("commit." + std::string(key), "unknown id " + quote_short(value.as_string()) + ", expected one of " + ids);
}

Result<std::string> diagnosis_of(const Json& commit) {
  const std::string_view given = commit["diagnosis"].as_string();
  std::string ids;
  for (const catalog::Cause* cause : catalog::core_causes()) {
    if (cause->id == given) return std::string(given);
    ids += (ids.empty() ? "" : ", ") + std::string(cause->id);
  }
  return bad("commit.diagnosis", "unknown or missing diagnosis " + quote_short(given) + ", expected one of " + ids);
}

Result<std::optional<drill::AnswerPlace>> place_of(const Json& commit) {
  const Json& json = commit["place"];
  if (json.is_null()) return std::optional<drill::AnswerPlace>();
  const Json& rank = json["rank"];
  const int64_t begin_ns = json["begin_ns"].as_int(-kLongestNs - 1);
  const int64_t end_ns = json["end_ns"].as_int(-kLongestNs - 1);
  constexpr int64_t kMostRanks = 1 << 20;
  if (rank.kind() != Json::Kind::integer || rank.as_int() < 0 || rank.as_int() > kMostRanks) {
    return bad("commit.place.rank", "expected a rank, a whole number from 0");
  }
  // A number beyond int64 is no integer to the parser: it was clamped.
  const bool whole = json["begin_ns"].kind() == Json::Kind::integer && json["end_ns"].kind() == Json::Kind::integer;
  if (!whole || begin_ns < -kLongestNs || end_ns > kLongestNs || end_ns <= begin_ns) {
    return bad("commit.place", "expected whole nanoseconds begin_ns < end_ns");
  }
  drill::AnswerPlace place{.rank = static_cast<int32_t>(rank.as_int()), .track = {}, .at = {begin_ns, end_ns}};
  const Json& track = json["track"];
  if (!track.is_null()) {
    if (track.kind() != Json::Kind::integer || track.as_int() < 0 || track.as_int() > UINT32_MAX) {
      return bad("commit.place.track", "expected the index of a track, a whole number from 0, or null");
    }
    place.track = static_cast<trace::TrackId>(track.as_int());
  }
  return std::optional(place);
}

Result<std::optional<int64_t>> number_of(const Json& json, std::string_view key) {
  if (json.is_null()) return std::optional<int64_t>();
  const int64_t value = json.as_millionths(kLargestMillionths + 1);
  if (!is_number(json) || value > kLargestMillionths || value < -kLargestMillionths) {
    return bad(key, "expected a number of at most 1e9");
  }
  return std::optional(value);
}

Result<std::optional<drill::AnswerWin>> win_of(const Json& commit) {
  const Json& json = commit["win"];
  if (json.is_null()) return std::optional<drill::AnswerWin>();
  if (json.kind() != Json::Kind::object)
    return bad("commit.win", "expected {\"value\":NUMBER,\"unit\":\"percent\"|\"ms\"}");
  const std::optional<int64_t> value = TRY(number_of(json["value"], "commit.win.value"));
  if (!value) return bad("commit.win.value", "missing, expected a number; a win that is left out is null");
  const Json& given_unit = json["unit"];
  const std::string_view unit = given_unit.is_null() ? "percent" : given_unit.as_string();
  if (unit != "percent" && unit != "ms") return bad("commit.win.unit", "expected \"percent\" or \"ms\"");
  return std::optional(drill::AnswerWin{.value_millionths = *value, .in_ms = unit == "ms"});
}

}  // namespace

Result<std::string_view> required_string(const Json& request, std::string_view key) {
  const Json& value = request[key];
  if (value.kind() != Json::Kind::string) return bad(key, "missing, expected a string");
  return value.as_string();
}

Result<drill::DrillName> required_drill(const Json& request) {
  return drill::parse_drill_name(TRY(required_string(request, "drill")));
}

Result<drill::Answer> required_commit(const Json& request) {
  const Json& commit = request["commit"];
  if (commit.kind() != Json::Kind::object) return bad("commit", "missing, expected an object with a diagnosis");
  drill::Answer answer;
  answer.diagnosis = TRY(diagnosis_of(commit));
  answer.place = TRY(place_of(commit));
  answer.number_millionths = TRY(number_of(commit["number"], "commit.number"));
  answer.measurement = TRY(optional_choice(commit, "measurement", catalog::all_measurements()));
  answer.fix = TRY(optional_choice(commit, "fix", catalog::all_fixes()));
  answer.win = TRY(win_of(commit));
  const Json& confidence = commit["confidence_percent"];
  if (!confidence.is_null()) {
    if (!is_whole(confidence) || confidence.as_int(-1) < 0 || confidence.as_int(-1) > 100) {
      return bad("commit.confidence_percent", "expected a whole number from 0 to 100");
    }
    answer.confidence_percent = static_cast<int32_t>(confidence.as_int());
  }
  const Json& elapsed = commit["elapsed_ms"];
  if (!elapsed.is_null()) {
    if (!is_whole(elapsed) || elapsed.as_int(-1) < 0 || elapsed.as_int(-1) > kLongestMs) {
      return bad("commit.elapsed_ms", "expected whole milliseconds from 0 to " + std::to_string(kLongestMs));
    }
    answer.elapsed_ms = elapsed.as_int();
  }
  const Json& paused = commit["paused"];
  if (!paused.is_null() && paused.kind() != Json::Kind::boolean) {
    return bad("commit.paused", "expected true or false");
  }
  answer.paused = paused.as_bool();
  return answer;
}

Result<const formats::Format*> writable_format(std::string_view id) {
  std::string ids;
  for (const formats::Format& format : formats::registered_formats()) {
    if (format.write == nullptr) continue;
    if (format.id == id) return &format;
    ids += (ids.empty() ? "" : ", ") + std::string(format.id);
  }
  return fail(ErrorCode::unsupported,
              "cannot write format " + quote_short(id) + ", expected one of: " + (ids.empty() ? "(none)" : ids));
}

}  // namespace td::api
