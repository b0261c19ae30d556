#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "api/method.h"
#include "api/read_traces.h"
#include "drill/benchmark.h"
#include "report/benchmark_report.h"

namespace td::api::method {
namespace {

constexpr int64_t kMaxJsonBytes = int64_t{16} << 20;

Result<Json> read_json(const std::string& path, Io& io) {
  const std::string text = TRY(read_text(path, kMaxJsonBytes, io));
  Result<Json> json = parse_json(text);
  if (!json) return fail(json.error().code, json.error().message, path);
  return json;
}

// The folder that a truth stands in: "drills/s7/truth.json" is the truth of "s7".
std::string drill_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return std::string(path);
  const size_t before = path.rfind('/', slash - 1);
  return std::string(path.substr(before == std::string_view::npos ? 0 : before + 1,
                                 slash - (before == std::string_view::npos ? 0 : before + 1)));
}

Result<Reply> handle(const Json& request, Io& io) {
  const std::vector<std::string> truths = TRY(required_names(request, "truths"));
  const Json answers_json = TRY(read_json(std::string(request["answers"].as_string()), io));
  const std::vector<drill::BenchmarkAnswer> answers = TRY(drill::benchmark_answers(answers_json));
  std::map<std::string, drill::BenchmarkItem> items;
  for (const std::string& path : truths) {
    const Json truth = TRY(read_json(path, io));
    const std::string_view cause = truth["cause"].as_string();
    if (cause.empty()) return fail(ErrorCode::malformed, "has no \"cause\": not a drill's truth", path);
    const std::string name = drill_of(path);
    items[name] = {name, std::string(cause), "", {}};
  }
  Json unknown = Json::array();
  for (const drill::BenchmarkAnswer& answer : answers) {
    const auto item = items.find(answer.drill);
    if (item == items.end()) {
      unknown.push(Json::string(answer.drill));
      continue;
    }
    item->second.answer = answer.cause;
    item->second.confidence = answer.confidence;
  }
  std::vector<drill::BenchmarkItem> all;
  for (auto& [name, item] : items) all.push_back(std::move(item));
  const drill::Benchmark benchmark = drill::benchmark(all);
  Json json = report::benchmark_json(benchmark);
  json.set("unknown_drills", std::move(unknown));
  Reply reply{std::move(json), {}};
  if (const Json& text = request["text"]; !text.is_null()) {
    report::TextStyle style;
    style.colour = text["colour"].as_bool();
    style.columns = static_cast<int>(std::clamp<int64_t>(text["columns"].as_int(100), 60, 100));
    reply.blob = report::benchmark_text(benchmark, style);
  }
  return reply;
}

}  // namespace

// {"truths":["DIR/NAME/truth.json",...],"answers":PATH,"text":...|null}: accuracy per cause, confusions, calibration.
// Answers for drills that are not there stand in "unknown_drills".
Method grade() {
  return {.name = "grade",
          .summary = "scores a diagnoser's answers to generated drills",
          .for_pages = false,
          .handle = handle};
}

}  // namespace td::api::method
