#include "report/drill_json.h"

#include "catalog/catalog.h"

namespace td::report {
namespace {

constexpr int kDrillSchemaVersion = 1;

Json string_or_null(std::string_view text) { return text.empty() ? Json() : Json::string(text); }

Json interval_json(Interval at) {
  Json json = Json::object();
  json.set("begin_ns", Json::integer(at.begin_ns)).set("end_ns", Json::integer(at.end_ns));
  return json;
}

Json steps_json(const std::vector<Interval>& steps) {
  Json json = Json::array();
  for (const Interval& step : steps) json.push(interval_json(step));
  return json;
}

Json strings_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push(Json::string(text));
  return json;
}

Json ranks_json(const drill::Exercise& exercise) {
  Json json = Json::array();
  for (size_t rank = 0; rank < exercise.rank_titles.size(); ++rank) {
    Json row = Json::object();
    row.set("rank", Json::integer(static_cast<int64_t>(rank))).set("title", Json::string(exercise.rank_titles[rank]));
    json.push(std::move(row));
  }
  return json;
}

std::string_view title_of(std::string_view cause) {
  const catalog::Cause* found = catalog::find_cause(cause);
  return found == nullptr ? cause : found->title;
}

std::string_view title_in(std::span<const catalog::Choice> choices, std::string_view id) {
  const catalog::Choice* choice = catalog::find_choice(choices, id);
  return choice == nullptr ? id : choice->title;
}

Json signature_json(const drill::Truth& truth) {
  Json json = Json::array();
  for (const drill::Sentence& sentence : truth.signature) {
    Json letters = Json::array();
    for (char letter : sentence.evidence) letters.push(Json::string(std::string(1, letter)));
    Json row = Json::object();
    row.set("text", Json::string(sentence.text)).set("evidence", std::move(letters));
    json.push(std::move(row));
  }
  return json;
}

Json evidence_json(const drill::Truth& truth) {
  Json json = Json::array();
  for (const drill::EvidenceSpan& span : truth.evidence) {
    Json row = Json::object();
    row.set("letter", Json::string(std::string(1, span.letter)))
        .set("rank", Json::integer(span.rank))
        .set("track", Json::integer(span.track))
        .set("begin_ns", Json::integer(span.at.begin_ns))
        .set("end_ns", Json::integer(span.at.end_ns))
        .set("text", Json::string(span.text));
    json.push(std::move(row));
  }
  return json;
}

Json confirm_json(const drill::ConfirmText& confirm) {
  Json json = Json::object();
  json.set("id", Json::string(confirm.id))
      .set("title", Json::string(title_in(catalog::all_measurements(), confirm.id)))
      .set("command", Json::string(confirm.command))
      .set("prints", strings_json(confirm.prints))
      .set("text", Json::string(confirm.text));
  return json;
}

Json fix_json(const drill::FixText& fix) {
  Json json = Json::object();
  json.set("id", Json::string(fix.id))
      .set("title", Json::string(title_in(catalog::all_fixes(), fix.id)))
      .set("text", Json::string(fix.text))
      .set("code_title", string_or_null(fix.code_title))
      .set("code_before", string_or_null(fix.code_before))
      .set("code_after", string_or_null(fix.code_after));
  return json;
}

Json win_json(const drill::Win& win) {
  Json sums = Json::array();
  for (const drill::SumLine& line : win.sums) {
    Json row = Json::object();
    row.set("label", Json::string(line.label))
        .set("value", Json::string(line.value))
        .set("strong", Json::boolean(line.strong));
    sums.push(std::move(row));
  }
  Json json = Json::object();
  json.set("per", Json::string(win.per_token ? "token" : "step"))
      .set("step_ns", Json::integer(win.step_ns))
      .set("fixed_step_ns", Json::integer(win.fixed_step_ns))
      .set("win_ns", Json::integer(win.win_ns))
      .set("win_frac", Json::fraction(win.win_millionths))
      .set("sums", std::move(sums));
  return json;
}

Json other_way_json(const std::optional<drill::OtherWay>& other) {
  if (!other) return {};
  Json json = Json::object();
  json.set("label", Json::string(other->note)).set("value", Json::fraction(other->value_millionths));
  return json;
}

Json number_json(const drill::Truth& truth) {
  if (!truth.number) return {};
  Json json = Json::object();
  json.set("label", Json::string(truth.number->label))
      .set("value", Json::fraction(truth.number->value_millionths))
      .set("unit", Json::string(truth.number->unit))
      .set("other", other_way_json(truth.number->other));
  return json;
}

Json theory_json(const drill::Truth& truth) {
  if (!truth.theory) return {};
  Json json = Json::object();
  json.set("cause", Json::string(truth.theory->cause))
      .set("title", Json::string(title_of(truth.theory->cause)))
      .set("refuted", Json::string(truth.theory->refuted));
  return json;
}

// The stations of the fixed order, each with where to look.
Json stations_json(const drill::Truth& truth) {
  Json json = Json::array();
  for (const drill::ReadLine& line : truth.read) {
    Json spans = Json::array();
    for (const drill::RowSpan& span : line.spans) {
      Json row = Json::object();
      row.set("rank", Json::integer(span.rank))
          .set("track", Json::integer(span.track))
          .set("begin_ns", Json::integer(span.at.begin_ns))
          .set("end_ns", Json::integer(span.at.end_ns));
      spans.push(std::move(row));
    }
    Json row = Json::object();
    row.set("id", Json::string(line.id)).set("text", Json::string(line.text)).set("spans", std::move(spans));
    json.push(std::move(row));
  }
  return json;
}

template <typename Choices>
Json choices_json(const Choices& choices) {
  Json json = Json::array();
  for (const auto& choice : choices) {
    Json row = Json::object();
    row.set("id", Json::string(choice.id)).set("title", Json::string(choice.title));
    json.push(std::move(row));
  }
  return json;
}

// With the price in seconds of the clock, for those that can be bought while reading; null: made at the reveal only.
Json measurements_json() {
  Json json = Json::array();
  for (const catalog::Choice& choice : catalog::all_measurements()) {
    const drill::PaidMeasurement* paid = drill::find_paid_measurement(choice.id);
    Json row = Json::object();
    row.set("id", Json::string(choice.id))
        .set("title", Json::string(choice.title))
        .set("price_s", paid == nullptr ? Json() : Json::integer(paid->price_s));
    json.push(std::move(row));
  }
  return json;
}

Json decks_json() {
  Json json = Json::array();
  for (const drill::Deck& deck : drill::all_decks()) {
    Json causes = Json::array();
    for (const drill::DeckEntry& entry : deck.entries) causes.push(Json::string(entry.cause));
    Json row = Json::object();
    row.set("id", Json::string(deck.name()))
        .set("title", Json::string(deck.title))
        .set("level", Json::string(drill::to_string(deck.level)))
        .set("causes", std::move(causes))
        .set("is_default", Json::boolean(deck.is_default));
    json.push(std::move(row));
  }
  return json;
}

Json diagnoses_json() {
  Json json = Json::array();
  for (const catalog::Cause* cause : catalog::core_causes()) {
    Json row = Json::object();
    row.set("id", Json::string(cause->id))
        .set("title", Json::string(cause->title))
        .set("deciding_number", string_or_null(cause->deciding_number))
        .set("deciding_unit", string_or_null(cause->deciding_unit));
    json.push(std::move(row));
  }
  return json;
}

Json reading_order_json() {
  struct Line {
    std::string_view id;
    std::string_view title;
    std::string_view measure;
  };
  static constexpr Line kOrder[] = {
      {"step", "Step boundary", "Length of a steady step, the same on every rank? Leave warm-up out."},
      {"gaps", "Gap analysis", "Idle of the device in a step, the longest gap, and what the host did in it."},
      {"overlap", "Overlap", "Communication with compute under it, and without; who arrives last."},
      {"longest", "Longest kernel", "By what could be won, not by its length; against its roofline."},
  };
  Json json = Json::array();
  for (const Line& line : kOrder) {
    Json row = Json::object();
    row.set("id", Json::string(line.id))
        .set("title", Json::string(line.title))
        .set("measure", Json::string(line.measure));
    json.push(std::move(row));
  }
  return json;
}

}  // namespace

Json exercise_json(const drill::DrillName& name, const drill::Exercise& exercise) {
  Json facts = Json::array();
  for (const drill::Fact& fact : exercise.facts) {
    Json row = Json::object();
    row.set("label", Json::string(fact.label)).set("value", Json::string(fact.value));
    facts.push(std::move(row));
  }
  Json json = Json::object();
  json.set("drill", Json::string(drill::to_string(name)))
      .set("deck", Json::string(name.deck->name()))
      .set("level", Json::string(drill::to_string(name.deck->level)))
      .set("seed", Json::integer(name.seed))
      .set("prompt", Json::string(exercise.prompt))
      .set("facts", std::move(facts))
      .set("facts_json", exercise.facts_json)
      .set("ranks", ranks_json(exercise))
      .set("steps", steps_json(exercise.steps))
      .set("view", interval_json(exercise.view));
  return json;
}

Json truth_json(const drill::Truth& truth) {
  Json lookalikes = Json::array();
  for (const drill::Lookalike& lookalike : truth.lookalikes) {
    Json row = Json::object();
    row.set("cause", Json::string(lookalike.cause))
        .set("title", Json::string(title_of(lookalike.cause)))
        .set("text", Json::string(lookalike.text));
    lookalikes.push(std::move(row));
  }
  Json read = Json::array();
  for (const drill::ReadLine& line : truth.read) {
    Json row = Json::object();
    row.set("id", Json::string(line.id)).set("text", Json::string(line.text));
    read.push(std::move(row));
  }
  Json ranks = Json::array();
  for (const drill::RankRow& rank : truth.ranks) {
    Json row = Json::object();
    row.set("rank", Json::integer(rank.rank))
        .set("compute_ns", Json::integer(rank.compute_ns))
        .set("comm_ns", Json::integer(rank.comm_ns))
        .set("lateness_ns", Json::integer(rank.lateness_ns));
    ranks.push(std::move(row));
  }
  Json json = Json::object();
  json.set("cause", Json::string(truth.cause))
      .set("title", Json::string(title_of(truth.cause)))
      .set("scenario", Json::string(truth.scenario))
      .set("headline", Json::string(truth.headline))
      .set("summary", Json::string(truth.summary))
      .set("signature", signature_json(truth))
      .set("evidence", evidence_json(truth))
      .set("confirm", confirm_json(truth.confirm))
      .set("fix", fix_json(truth.fix))
      .set("lookalikes", std::move(lookalikes))
      .set("theory", theory_json(truth))
      .set("read", std::move(read))
      .set("reading_order", stations_json(truth))
      .set("ranks", std::move(ranks))
      .set("win", win_json(truth.win))
      .set("number", number_json(truth));
  return json;
}

Json verdict_json(const drill::Verdict& verdict) {
  Json parts = Json::array();
  for (const drill::Part& part : verdict.parts) {
    Json row = Json::object();
    row.set("id", Json::string(part.id))
        .set("grade", Json::string(drill::to_string(part.grade)))
        .set("yours", string_or_null(part.yours))
        .set("truth", string_or_null(part.truth))
        .set("why", Json::string(part.why));
    parts.push(std::move(row));
  }
  Json json = Json::object();
  json.set("right", Json::integer(verdict.right))
      .set("of", Json::integer(verdict.of))
      .set("in_time", Json::boolean(verdict.in_time))
      .set("parts", std::move(parts));
  return json;
}

Json reveal_json(const drill::DrillName& name, const drill::Reveal& reveal) {
  Json fixed = Json::object();
  fixed.set("steps", steps_json(reveal.fixed.steps)).set("view", interval_json(reveal.fixed.view));
  Json json = Json::object();
  json.set("drill", Json::string(drill::to_string(name)))
      .set("truth", truth_json(reveal.truth))
      .set("verdict", verdict_json(reveal.verdict))
      .set("fixed", std::move(fixed));
  return json;
}

Json drill_file_json(const drill::Exercise& exercise, uint32_t seed) {
  Json json = Json::object();
  json.set("schema_version", Json::integer(kDrillSchemaVersion))
      .set("prompt", Json::string(exercise.prompt))
      .set("seed", Json::integer(seed))
      .set("ranks", ranks_json(exercise))
      .set("steps", steps_json(exercise.steps))
      .set("facts", exercise.facts_json);
  return json;
}

Json catalog_json() {
  constexpr int64_t kLimitS = drill::Rubric{}.limit_ms / 1000;
  Json json = Json::object();
  json.set("schema_version", Json::integer(kDrillSchemaVersion))
      .set("decks", decks_json())
      .set("diagnoses", diagnoses_json())
      .set("measurements", measurements_json())
      .set("fixes", choices_json(catalog::all_fixes()))
      .set("reading_order", reading_order_json())
      .set("limit_s", Json::integer(kLimitS));
  return json;
}

}  // namespace td::report
