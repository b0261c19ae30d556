#include "base/math.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/job_code.h"
#include "drill/pipeline_waits.h"

namespace td::drill::explain {
namespace {

bool is_pipeline(const ExplainInput& input) { return input.job.parallelism.kind == sim::Parallelism::Kind::pipeline; }

// A pipeline has its ideal bubble where it is well fed, and no bucket that is the last of a step's exposed ones.
void tell_pipeline(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const PipelineWaits waits = pipeline_waits(input.run, traced, input.job);
  const size_t last = traced.ranks() - 1;
  const auto on_wait = [&](char letter, size_t rank, std::string text) {
    const Wait wait = longest_wait(input.run, traced, rank, 0);
    return EvidenceSpan{
        .letter = letter, .rank = traced.rows[rank].rank, .track = wait.track, .at = wait.at, .text = std::move(text)};
  };
  const std::string last_name = "rank " + std::to_string(traced.rows[last].rank);
  truth.evidence = {on_compute_row(traced, 'A', 0, traced.steps[0], "one step of compute on rank 0"),
                    on_wait('B', 0, "fill and drain on rank 0"), on_wait('C', last, "fill and drain on " + last_name)};
  truth.summary = "The pipeline is well fed: it waits " + percent_text(waits.waiting_millionths) + " of the step, " +
                  percent_text(waits.ideal_millionths) + " is the schedule's own, and no known fix wins more than 2 %.";
  truth.signature[1] = {"Waiting or idle are " + percent_text(waits.waiting_millionths) +
                            " of the step; fill and drain of " + count_word(input.job.parallelism.stages) +
                            " stages with " + std::to_string(input.job.accumulation) + " microbatches take " +
                            percent_text(waits.ideal_millionths) + ".",
                        "BC"};
  const MsScale scale(traced.mean_step_ns);
  truth.signature[2] = {"All stages compute alike, " + scale.number(waits.least_compute_ns) + " to " +
                            scale.text(waits.most_compute_ns) + " a step, and each waits where 1F1B puts it.",
                        "BC"};
  truth.lookalikes[0].text = "There one rank computes longer than the others. Here all compute " +
                             scale.number(waits.least_compute_ns) + " to " + scale.text(waits.most_compute_ns) +
                             " a step.";
  truth.lookalikes[1] = {"pipeline_bubbles", "There the bubble is a good part of the step. Here the formula gives " +
                                                 percent_text(waits.ideal_millionths) +
                                                 ", and no more is seen than that and the messages."};
  truth.read[2].text = "Rank 0 is in NCCL " + scale.text(traced.mean_of(0, &RankStep::comm_ns)) + " a step, " +
                       scale.text(traced.mean_of(0, &RankStep::exposed_ns)) +
                       " of it with no compute beside: fill, drain and messages.";
}

void add_evidence(const Measured& traced, Truth& truth) {
  const size_t last = traced.ranks() - 1;
  const std::string last_name = "rank " + std::to_string(traced.rows[last].rank);
  truth.evidence = {
      on_compute_row(traced, 'A', 0, traced.steps[0], "one step of compute on rank 0"),
      on_comm_row(traced, 'B', 0, tail_of(traced.at[0][0]), "the last bucket's tail on rank 0"),
      on_comm_row(traced, 'C', last, tail_of(traced.at[last][0]), "the same tail on " + last_name),
  };
}

Truth explain_healthy(const ExplainInput& input) {
  const Measured& traced = input.traced;
  const MsScale scale(traced.mean_step_ns);
  const TimeNs exposed = scale.round(traced.mean_of(0, &RankStep::exposed_ns));
  const TimeNs idle = scale.round(traced.mean_of(0, &RankStep::idle_ns));
  const TimeNs step = scale.round(traced.mean_step_ns);
  const int64_t lost = share_millionths(exposed + idle, step);
  const int64_t compute = share_millionths(traced.mean_of(0, &RankStep::compute_ns), traced.mean_step_ns);
  const TimeNs spread = traced.after_first_ns(traced.last_rank());

  Truth truth = start_truth(input);
  truth.headline = "Healthy";
  truth.summary = "Compute fills " + percent_text(compute) + " of the step, and no known fix wins more than 2 %.";
  add_evidence(traced, truth);
  truth.signature = {
      {"Compute runs for " + percent_text(compute) + " of the step, with a median run-ahead of " +
           dur_text(traced.median_run_ahead_ns) + " between launch and kernel.",
       "A"},
      {"The all-reduce outlasts backward by " + dur_text(tail_of(traced.at[0][0]).length_ns()) +
           ": the last bucket, which nothing can hide.",
       "B"},
      {"The ranks are ready within " + dur_text(spread) + " of each other, and no rank waits longer than the rest.",
       "C"},
  };
  truth.confirm = {
      .id = "speed_of_light",
      .command = "$ ncu --section SpeedOfLight -k regex:gemm -c 5 python " + std::string(code_of(input.job).file),
      .prints = {"Compute (SM) Throughput   %   " +
                 decimal_text(round_to_int(input.job.gpu->matmul_efficiency_max * 1000), 10, 1)},
      .text = "The top kernels run near the best that matmuls reach on this GPU, and the whole job at " +
              decimal_text(mfu_permille(input.job, traced.mean_step_ns, traced.tokens_per_step), 10, 0) +
              " % MFU: the levers left are precision, batch, recompute policy."};
  truth.fix.id = "change_nothing";
  truth.fix.text = "None. Say so with these numbers, and stop.";
  truth.lookalikes = {
      {"straggler", "There one rank is ready late in every step. Here the last is " + dur_text(spread) +
                        " behind the first (" + percent_text(share_millionths(spread, traced.mean_step_ns)) +
                        " of the step): jitter."},
      {"bandwidth_bound_collective", "There the all-reduce outlasts backward by far. Here " + scale.text(exposed) +
                                         " of " + scale.text(traced.mean_of(0, &RankStep::comm_ns)) + " is exposed (" +
                                         percent_text(share_millionths(exposed, step)) + " of the step)."},
      {"launch_bound", "There the device waits for each launch. Here kernels are queued " +
                           dur_text(traced.median_run_ahead_ns) + " ahead."}};
  truth.read = {step_line(input),
                gaps_line(input),
                {"overlap", "NCCL is busy " + scale.text(traced.mean_of(0, &RankStep::comm_ns)) + " a step, all but " +
                                scale.text(exposed) + " under backward."},
                longest_line(input)};
  if (is_pipeline(input)) tell_pipeline(input, truth);
  truth.win.fixed_step_ns = truth.win.step_ns;
  truth.win.win_ns = 0;
  truth.win.win_millionths = 0;
  truth.win.sums = {{"exposed communication, rank 0", scale.text(exposed)},
                    {"idle, rank 0", "+ " + scale.text(idle)},
                    {"all that better communication or launching could touch", scale.text(exposed + idle), true},
                    {"share of the step", percent_text(lost)}};
  truth.number = DecidingNumber{.label = "exposed communication + idle",
                                .unit = "% of the step",
                                .value_millionths = lost * 100,
                                .slack_millionths = 500000};
  return truth;
}

}  // namespace

Explainer healthy() { return {.cause = "healthy", .explain = explain_healthy}; }

}  // namespace td::drill::explain
