#include "drill/drill.h"

#include <algorithm>

#include "drill/explain_parts.h"
#include "drill/framing.h"
#include "drill/job_words.h"
#include "drill/text.h"

namespace td::drill {
namespace {

std::string_view parallelism_text(const sim::Job& job) {
  using Kind = sim::Parallelism::Kind;
  switch (job.parallelism.kind) {
    case Kind::one_gpu:
      return "One GPU";
    case Kind::fsdp:
      return "FSDP";
    case Kind::pipeline:
      return "Pipeline parallel";
    case Kind::ddp:
      break;
  }
  return "DDP";
}

std::string_view parallelism_id(const sim::Job& job) {
  using Kind = sim::Parallelism::Kind;
  switch (job.parallelism.kind) {
    case Kind::one_gpu:
      return "one_gpu";
    case Kind::fsdp:
      return "fsdp";
    case Kind::pipeline:
      return "pipeline";
    case Kind::ddp:
      break;
  }
  return "ddp";
}

std::string_view short_dtype(trace::DType dtype) { return dtype == trace::DType::float32 ? "fp32" : "bf16"; }

// Neither the model's size nor the batch: with GPU, fabric and dtype they would decide by arithmetic alone, before the
// trace is read. The bytes stand in the trace, on every all-reduce.
std::vector<Fact> facts_of(const sim::Job& job) {
  const std::string what = std::string(parallelism_text(job)) + ", decoder-only transformer, " +
                           std::string(short_dtype(job.grad_dtype)) + " gradients";
  return {{"Job", what}, {"Hardware", hardware_text(job)}, {"Link", hardware::describe(job.fabric)}};
}

Json facts_json_of(const sim::Job& job) {
  Json json = Json::object();
  json.set("gpu", Json::string(job.gpu->id))
      .set("fabric", Json::string(hardware::fabric_text(job.fabric)))
      .set("world_size", Json::integer(job.fabric.world_size()))
      .set("parallelism", Json::string(parallelism_id(job)))
      .set("grad_dtype", Json::string(trace::to_string(job.grad_dtype)));
  return json;
}

// The prompt's theory, refuted: beside the lookalikes, as one of them.
void add_theory(const Framing& framing, const PromptFacts& facts, Truth& truth) {
  if (framing.refuted == nullptr) return;
  const std::string refuted = framing.refuted(facts);
  truth.theory = TheoryText{std::string(framing.theory), refuted};
  const auto same = std::ranges::find(truth.lookalikes, framing.theory, &Lookalike::cause);
  if (same == truth.lookalikes.end()) {
    truth.lookalikes.push_back({std::string(framing.theory), "The colleague's theory. " + refuted});
  } else {
    same->text += " The colleague's theory: " + refuted;
  }
}

std::vector<Interval> intervals_of(const std::vector<sim::StepTime>& steps) {
  std::vector<Interval> out;
  for (const sim::StepTime& step : steps) out.push_back({step.begin_ns, step.end_ns});
  return out;
}

// Two steady steps, or what there is.
Interval view_of(const std::vector<Interval>& steps) {
  if (steps.empty()) return {};
  return {steps.front().begin_ns, steps[std::min<size_t>(1, steps.size() - 1)].end_ns};
}

// A place that the trace does not have is the caller's mistake, not a wrong answer.
Status check_place(const trace::Trace& trace, const AnswerPlace& place) {
  if (place.rank < 0 || static_cast<size_t>(place.rank) >= trace.ranks.size()) {
    return fail(ErrorCode::invalid_argument,
                "no rank " + std::to_string(place.rank) + ", expected 0 to " + std::to_string(trace.ranks.size() - 1),
                "commit.place.rank");
  }
  const size_t tracks = trace.ranks[static_cast<size_t>(place.rank)].tracks.size();
  if (place.track && *place.track >= tracks) {
    return fail(ErrorCode::invalid_argument,
                "no track " + std::to_string(*place.track) + " on rank " + std::to_string(place.rank) +
                    ", expected 0 to " + std::to_string(tracks - 1) + " or null",
                "commit.place.track");
  }
  return {};
}

}  // namespace

Result<SimulatedInstance> simulate_named(const DrillName& name) {
  const Deck& deck = *name.deck;
  return simulate_cause(draw_cause(deck, name.seed), name.seed, deck.level, deck.composition);
}

FixedRun shown_run(sim::SimulatedJob run) {
  FixedRun out;
  out.steps = intervals_of(run.steps);
  out.view = view_of(out.steps);
  out.trace = std::move(run.trace);
  return out;
}

std::vector<Fact> lasting_facts(const sim::Job& job) {
  return {{"Job", std::string(parallelism_text(job)) + ", decoder-only transformer"}, {"Hardware", hardware_text(job)}};
}

Truth drill_truth(const SimulatedInstance& instance, uint64_t seed) {
  Truth truth = make_truth(instance);
  const PromptFacts facts = prompt_facts(instance, seed);
  const Framing* framing = draw_framing(instance.scenario->cause, facts, seed);
  if (framing != nullptr) add_theory(*framing, facts, truth);
  return truth;
}

namespace {

Generated with_truth(SimulatedInstance instance, uint64_t seed) {
  Truth truth = drill_truth(instance, seed);
  return Generated{make_exercise(std::move(instance), seed), std::move(truth)};
}

}  // namespace

Exercise make_exercise(SimulatedInstance instance, uint64_t seed) {
  Exercise out;
  out.level = instance.level;
  const PromptFacts facts = prompt_facts(instance, seed);
  const Framing* framing = draw_framing(instance.scenario->cause, facts, seed);
  if (framing != nullptr) out.prompt = framing->prompt(facts).text;
  out.facts = facts_of(instance.job);
  out.facts_json = facts_json_of(instance.job);
  for (int32_t rank = 0; rank < instance.job.fabric.world_size(); ++rank) {
    out.rank_titles.push_back(instance.traced_measure.rows[static_cast<size_t>(rank)].host + ", GPU " +
                              std::to_string(local_gpu_of(instance.job, rank)) + ", " +
                              std::string(instance.job.gpu->title));
  }
  out.steps = intervals_of(instance.run.steps);
  out.view = view_of(out.steps);
  out.trace = std::move(instance.run.trace);
  return out;
}

Result<Exercise> open_drill(const DrillName& name) { return make_exercise(TRY(simulate_named(name)), name.seed); }

Result<Reveal> reveal_drill(const DrillName& name, const Answer& answer) {
  SimulatedInstance instance = TRY(simulate_named(name));
  if (answer.place) TRY_OK(check_place(instance.run.trace, *answer.place));
  Reveal out;
  out.truth = drill_truth(instance, name.seed);
  out.verdict = grade(out.truth, answer);
  out.fixed = shown_run(std::move(instance.fixed));
  return out;
}

Result<MeasurementPrint> measure_drill(const DrillName& name, const PaidMeasurement& measurement) {
  return run_measurement(measurement, TRY(simulate_named(name)));
}

Result<Generated> generate(const Scenario& scenario, uint64_t seed, Level level) {
  return with_truth(TRY(simulate_instance(scenario, seed, level)), seed);
}

Result<Generated> generate(const DrillName& name) { return with_truth(TRY(simulate_named(name)), name.seed); }

}  // namespace td::drill
