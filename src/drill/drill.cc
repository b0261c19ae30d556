#include "drill/drill.h"

#include <algorithm>

#include "base/random.h"
#include "drill/explain_parts.h"
#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill {
namespace {

std::string_view short_dtype(trace::DType dtype) { return dtype == trace::DType::float32 ? "fp32" : "bf16"; }

std::string hardware_text(const sim::Job& job) {
  return std::to_string(job.fabric.world_size()) + " x " + std::string(job.gpu->title);
}

// Neither the model's size nor the batch: with GPU, fabric and dtype they would decide by arithmetic alone, before the
// trace is read. The bytes stand in the trace, on every all-reduce.
std::vector<Fact> facts_of(const sim::Job& job) {
  const std::string what = "DDP, decoder-only transformer, " + std::string(short_dtype(job.grad_dtype)) + " gradients";
  return {{"Job", what}, {"Hardware", hardware_text(job)}, {"Link", hardware::describe(job.fabric)}};
}

Json facts_json_of(const sim::Job& job) {
  Json json = Json::object();
  json.set("gpu", Json::string(job.gpu->id))
      .set("fabric", Json::string(hardware::fabric_text(job.fabric)))
      .set("world_size", Json::integer(job.fabric.world_size()))
      .set("parallelism", Json::string("ddp"))
      .set("grad_dtype", Json::string(trace::to_string(job.grad_dtype)));
  return json;
}

PromptFacts prompt_facts(const sim::Job& job, const Measured& measured) {
  PromptFacts facts;
  facts.hardware = hardware_text(job);
  facts.fabric = hardware::describe(job.fabric);
  facts.sync_permille = static_cast<int32_t>(share_millionths(measured.sync_wait_ns, measured.mean_step_ns) / 1000);
  return facts;
}

// Drawn by its own stream, from the framings that fit the cause; each fits several, so it says nothing.
std::string prompt_for(std::string_view cause, const PromptFacts& facts, uint64_t seed) {
  std::vector<const Framing*> fitting;
  for (const Framing& framing : all_framings()) {
    const bool for_cause = std::find(framing.causes.begin(), framing.causes.end(), cause) != framing.causes.end();
    if (for_cause && (framing.fits == nullptr || framing.fits(facts))) fitting.push_back(&framing);
  }
  if (fitting.empty()) return "";
  RandomStream stream(seed, "drill.framing");
  return fitting[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(fitting.size()) - 1))]->prompt(facts);
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

Result<SimulatedInstance> simulate_named(const DrillName& name) {
  const Scenario* scenario = TRY(draw_scenario(draw_cause(*name.deck, name.seed), name.seed));
  return simulate_instance(*scenario, name.seed, name.deck->level);
}

Generated with_truth(SimulatedInstance instance, uint64_t seed) {
  Truth truth = make_truth(instance);
  return Generated{make_exercise(std::move(instance), seed), std::move(truth)};
}

}  // namespace

Exercise make_exercise(SimulatedInstance instance, uint64_t seed) {
  Exercise out;
  out.level = instance.level;
  out.prompt = prompt_for(instance.scenario->cause, prompt_facts(instance.job, instance.traced_measure), seed);
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
  out.truth = make_truth(instance);
  out.verdict = grade(out.truth, answer);
  out.fixed.steps = intervals_of(instance.fixed.steps);
  out.fixed.view = view_of(out.fixed.steps);
  out.fixed.trace = std::move(instance.fixed.trace);
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
