#include "report/contrast_json.h"

#include "report/drill_json.h"

namespace td::report {
namespace {

Json interval_json(Interval at) {
  Json json = Json::object();
  json.set("begin_ns", Json::integer(at.begin_ns)).set("end_ns", Json::integer(at.end_ns));
  return json;
}

Json run_json(const drill::FixedRun& run, size_t at_bytes) {
  Json steps = Json::array();
  for (const Interval& step : run.steps) steps.push(interval_json(step));
  Json json = Json::object();
  json.set("steps", std::move(steps))
      .set("view", interval_json(run.view))
      .set("at_bytes", Json::integer(static_cast<int64_t>(at_bytes)));
  return json;
}

}  // namespace

Json contrast_json(const drill::DrillName& name, const drill::Contrast& contrast, size_t second_at_bytes) {
  Json facts = Json::array();
  for (const drill::Fact& fact : contrast.facts) {
    Json row = Json::object();
    row.set("label", Json::string(fact.label)).set("value", Json::string(fact.value));
    facts.push(std::move(row));
  }
  Json runs = Json::array();
  runs.push(run_json(contrast.a, 0));
  runs.push(run_json(contrast.b, second_at_bytes));
  Json json = Json::object();
  json.set("drill", Json::string(drill::to_string(name))).set("facts", std::move(facts)).set("runs", std::move(runs));
  return json;
}

Json contrast_reveal_json(const drill::DrillName& name, const drill::ContrastReveal& reveal) {
  drill::Verdict verdict;
  verdict.parts = reveal.parts;
  Json json = Json::object();
  json.set("drill", Json::string(drill::to_string(name)))
      .set("faulty", Json::string(drill::to_string(reveal.faulty)))
      .set("run", Json::string(drill::to_string(reveal.run)))
      .set("truth", truth_json(reveal.truth))
      .set("parts", verdict_json(verdict)["parts"]);
  return json;
}

}  // namespace td::report
