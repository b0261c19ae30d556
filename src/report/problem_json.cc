#include "report/problem_json.h"

#include <cmath>
#include <string>

#include "arithmetic/card.h"
#include "base/math.h"
#include "hardware/llm.h"

namespace td::report {
namespace {

Json number_json(double value) {
  if (value == std::floor(value) && value < 9e15) return Json::integer(round_to_int(value));
  return Json::fraction(round_to_int(value * 1e6));
}

Json step_json(const arithmetic::Step& step) {
  return Json::object().set("text", Json::string(step.text)).set("sum", Json::string(step.sum));
}

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json::string(text); }

Json category_json(const arithmetic::Category& category) {
  return Json::object()
      .set("id", Json::string(category.id))
      .set("title", Json::string(category.title))
      .set("identity", Json::string(category.identity))
      .set("source", Json::string(category.source))
      .set("is_core", Json::boolean(category.is_core));
}

Json chip_row(const arithmetic::Chip& chip) {
  Json values = Json::array();
  for (const arithmetic::Spec& spec : arithmetic::all_specs()) {
    const arithmetic::Unit unit = arithmetic::unit(spec.unit);
    const double value = spec.value(chip);
    values.push(value > 0 ? Json::string(arithmetic::digits(value / unit.scale, 4)) : Json());
  }
  return Json::object()
      .set("title", Json::string(chip.gpu->title))
      .set("values", std::move(values))
      .set("source", Json::string(chip.spec->source));
}

Json model_row(const hardware::Llm& llm) {
  Json values = Json::array();
  const auto push = [&](std::string_view text) { values.push(Json::string(text)); };
  push(arithmetic::digits(llm.parameters_b, 3));
  push(arithmetic::digits(llm.active_parameters_b, 3));
  push(std::to_string(llm.layers));
  push(arithmetic::digits(llm.hidden, 6));
  push(std::to_string(llm.heads));
  push(std::to_string(llm.kv_heads));
  push(std::to_string(llm.head_dim));
  push(arithmetic::digits(llm.ffn_hidden, 6));
  push(arithmetic::digits(static_cast<double>(hardware::kv_values_per_token(llm)) * 2 / 1024, 4));
  return Json::object()
      .set("title", Json::string(llm.title))
      .set("values", std::move(values))
      .set("source", Json::string(arithmetic::kModelSource));
}

Json column(std::string_view title, std::string_view unit) {
  return Json::object().set("title", Json::string(title)).set("unit", Json::string(unit));
}

Json chip_table() {
  Json columns = Json::array();
  for (const arithmetic::Spec& spec : arithmetic::all_specs()) columns.push(column(spec.title, spec.unit));
  Json rows = Json::array();
  for (const arithmetic::Chip& chip : arithmetic::all_chips()) rows.push(chip_row(chip));
  return Json::object()
      .set("title", Json::string("Chips"))
      .set("note", Json::string("Dense rates; links one way, a GPU; memory as labelled; GB = 10⁹ bytes, KiB = 1024."))
      .set("columns", std::move(columns))
      .set("rows", std::move(rows));
}

Json model_table() {
  Json columns = Json::array();
  columns.push(column("parameters", "10⁹")).push(column("active", "10⁹")).push(column("layers", ""));
  columns.push(column("hidden", ""))
      .push(column("heads", ""))
      .push(column("KV heads", ""))
      .push(column("head size", ""));
  columns.push(column("MLP", "")).push(column("KV a token, BF16", "KiB"));
  Json rows = Json::array();
  for (const hardware::Llm& llm : hardware::all_llms()) rows.push(model_row(llm));
  return Json::object()
      .set("title", Json::string("Models"))
      .set("note", Json::string("Of a mixture of experts, MLP is one expert's and active what one token uses."))
      .set("columns", std::move(columns))
      .set("rows", std::move(rows));
}

}  // namespace

Json quantity_json(const arithmetic::Quantity& quantity, const arithmetic::Unit& unit) {
  return Json::object().set("value", number_json(quantity.value / unit.scale)).set("unit", Json::string(unit.symbol));
}

void set_question(Json& json, const arithmetic::Problem& problem) {
  Json inputs = Json::object();
  for (const arithmetic::Input& input : problem.inputs) inputs.set(input.name, quantity_json(input.value, input.unit));
  json.set("question", Json::string(problem.question))
      .set("inputs", std::move(inputs))
      .set("asks", Json::string(problem.asks_verdict() ? "verdict" : "number"))
      .set("conventions", Json::string(problem.conventions));
  if (problem.asks_verdict()) {
    Json choices = Json::array();
    for (const arithmetic::Choice& choice : problem.choices) choices.push(Json::string(choice.id));
    json.set("unit", Json()).set("choices", std::move(choices));
  } else {
    json.set("unit", Json::string(problem.unit.symbol)).set("choices", Json());
  }
}

void set_working(Json& json, const arithmetic::Problem& problem) {
  json.set("answer", problem.asks_verdict() ? Json::object().set("verdict", Json::string(problem.verdict))
                                            : quantity_json(problem.answer, problem.unit));
  json.set("answer_text", Json::string(arithmetic::answer_text(problem)));
  Json steps = Json::array();
  for (const arithmetic::Step& step : problem.steps) steps.push(step_json(step));
  json.set("steps", std::move(steps));
  json.set("shortcut", problem.in_the_head.text.empty() ? Json() : step_json(problem.in_the_head));
  json.set("in_practice", Json());
  if (const auto& practice = problem.in_practice) json.set("in_practice", step_json(*practice));
  json.set("source", text_or_null(problem.source));
  const Result<const arithmetic::Category*> category = arithmetic::find_category(problem.category);
  if (!category) return;
  json.set("title", Json::string((*category)->title))
      .set("identity", Json::string((*category)->identity))
      .set("formula_source", Json::string((*category)->source));
}

void set_judgement(Json& json, const arithmetic::Judgement& judgement, const arithmetic::Answer& answer) {
  json.set("grade", Json::string(arithmetic::to_string(judgement.grade)))
      .set("why", Json::string(judgement.why))
      .set("slip", text_or_null(judgement.slip))
      .set("read_as", Json::string(answer.read_as));
}

Json tally_json(const arithmetic::Tally& tally) {
  Json json = Json::object();
  json.set("count", Json::integer(tally.count))
      .set("right", Json::integer(tally.right))
      .set("close", Json::integer(tally.close))
      .set("wrong", Json::integer(tally.wrong))
      .set("miss", Json::integer(tally.miss))
      .set("open_book", Json::integer(tally.open_book))
      .set("median_ms", Json());
  if (const auto& median = tally.median_ms) json.set("median_ms", Json::integer(*median));
  return json;
}

Json math_catalog_json() {
  Json categories = Json::array();
  for (const arithmetic::Category& category : arithmetic::all_categories()) categories.push(category_json(category));
  return Json::object()
      .set("schema_version", Json::integer(1))
      .set("categories", std::move(categories))
      .set("limit_s", Json::integer(arithmetic::kLimitMs / 1000))
      .set("storm_s", Json::integer(arithmetic::kStormMs / 1000))
      .set("right_percent", Json::integer(round_to_int(arithmetic::kRightFrac * 100)))
      .set("close_factor", Json::integer(round_to_int(arithmetic::kCloseFactor)));
}

Json math_reference_json() {
  Json formulas = Json::array();
  for (const arithmetic::Category& category : arithmetic::all_categories()) formulas.push(category_json(category));
  Json tables = Json::array();
  tables.push(chip_table()).push(model_table());
  return Json::object().set("formulas", std::move(formulas)).set("tables", std::move(tables));
}

}  // namespace td::report
