#include <algorithm>

#include "base/math.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/job_code.h"
#include "hardware/fabric.h"

namespace td::drill::explain {
namespace {

// Start of the first step's backward on rank 0: of the first kernel that another thread than the forward's launches.
TimeNs backward_begin_ns(const ExplainInput& input) {
  const trace::RankTrace& rank = input.run.trace.ranks.front();
  const trace::Track& row = rank.tracks[input.traced.rows.front().compute];
  const Interval step = input.traced.steps.front();
  const trace::LaunchIndex launches(rank);
  trace::TrackId forward_thread = UINT32_MAX;
  for (trace::SliceId slice = row.begin; slice < row.end; ++slice) {
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    if (rank.kind[slice] != trace::SliceKind::compute || begin_ns < step.begin_ns) continue;
    const trace::SliceId launch = launches.launch_of(slice);
    if (launch == trace::kNoSlice) continue;
    if (forward_thread == UINT32_MAX) forward_thread = rank.track[launch];
    if (rank.track[launch] != forward_thread) return begin_ns;
  }
  return step.begin_ns;
}

struct Cited {
  explicit Cited(const ExplainInput& input)
      : scale(input.traced.mean_step_ns),
        one_bucket(input.instance.faults.front().word("form") == "one_bucket"),
        other(input.traced.ranks() / 2),
        first(input.traced.at[0][0]),
        backward{backward_begin_ns(input), first.ready_ns},
        spread_ns(input.traced.after_first_ns(input.traced.last_rank())),
        comm_ns(scale.round(input.traced.mean_of(0, &RankStep::comm_ns))),
        exposed_ns(scale.round(input.traced.mean_of(0, &RankStep::exposed_ns))) {}

  MsScale scale;
  bool one_bucket;
  size_t other;  // a rank on another node where there is one
  const RankStep& first;
  Interval backward;
  TimeNs spread_ns;
  TimeNs comm_ns;
  TimeNs exposed_ns;

  [[nodiscard]] Interval reduction() const { return {first.first_comm_ns, first.last_comm_ns}; }
  [[nodiscard]] int64_t bars() const { return static_cast<int64_t>(first.bars.size()); }
  [[nodiscard]] std::string bars_text() const {
    return bars() == 1 ? "The only all-reduce" : "The first of " + std::to_string(bars()) + " all-reduces";
  }
};

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const RankStep& there = traced.at[cited.other][0];
  truth.evidence = {
      on_comm_row(traced, 'A', 0, cited.reduction(), "all-reduce with nothing beside it"),
      on_compute_row(traced, 'B', 0, cited.backward, "backward, with no NCCL kernel under it"),
      on_comm_row(traced, 'C', cited.other, {there.first_comm_ns, there.last_comm_ns},
                  "the same on rank " + std::to_string(traced.rows[cited.other].rank)),
  };
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    const RankStep& at = traced.at[0][step];
    truth.places.push_back({-1, {at.first_comm_ns, at.last_comm_ns}});
  }
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const TimeNs after_ns = cited.first.first_comm_ns - cited.backward.begin_ns;
  truth.signature = {
      {cited.bars_text() + " starts " + cited.scale.text(after_ns) + " after backward began, and backward takes " +
           cited.scale.text(cited.backward.length_ns()) + ": not before its end.",
       "AB"},
      {percent_text(share_millionths(cited.exposed_ns, cited.comm_ns)) + " of " + cited.scale.text(cited.comm_ns) +
           " in NCCL a step has no compute beside it, " +
           percent_text(share_millionths(cited.exposed_ns, traced.mean_step_ns)) + " of the step.",
       "A"},
      {"Every rank shows the same: the last one is ready " + dur_text(cited.spread_ns) + " after the first.", "C"},
      {"The bytes explain the bars: " +
           transfer_sum(traced.bytes_per_step(), traced.transfer_per_step_ns(), input.job.fabric.world_size()) +
           " on " + hardware::describe(input.job.fabric) + ". NCCL is as fast as it can be, only late.",
       "A"},
  };
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "bucket_log";
  text.command = "$ TORCH_DISTRIBUTED_DEBUG=DETAIL " + code_of(input.job).start + " 2>&1 | grep -i bucket";
  if (cited.one_bucket) {
    text.prints = {"rebuilt_bucket_sizes: " + std::to_string(input.traced.bytes_per_step())};
    text.text = "One bucket of " + bytes_text(input.traced.bytes_per_step()) +
                " holds every gradient, so it is full when the last one is: nothing can start before.";
  } else {
    text.prints = {"(no line: no reducer holds these gradients)"};
    text.text = "No hook reduces these gradients. The trace has all " + std::to_string(cited.bars()) +
                " c10d::allreduce_ of a step on the main thread, after the last node of backward.";
  }
  return text;
}

FixText fix(const ExplainInput& input, const Cited& cited) {
  // A stage of a pipeline reduces what its own module holds.
  const std::string module = input.job.parallelism.kind == sim::Parallelism::Kind::pipeline ? "stage.submod" : "model";
  FixText text;
  text.id = "overlap_hooks";
  text.code_title = "train.py";
  if (cited.one_bucket) {
    text.text =
        "A bucket cap that gradients reach: a bucket of 25 MiB is reduced as soon as it is full, under backward.";
    text.code_before = module + " = DDP(" + module + ", bucket_cap_mb=100_000)  # fewer calls";
    text.code_after = module + " = DDP(" + module + ")  # buckets of 25 MiB";
  } else {
    text.text = "Hooks on: each bucket is reduced as soon as its gradients are there, under the rest of backward.";
    text.code_before =
        "loss.backward()\n"
        "for bucket in flat_buckets(" +
        module +
        "):\n"
        "    dist.all_reduce(bucket)";
    text.code_after = module + " = DDP(" + module +
                      ")  # once, at the start\n"
                      "loss.backward()  # buckets are reduced as they fill";
  }
  return text;
}

// Hidden communication has a price: beside compute it takes longer, and it holds multiprocessors for that long.
void add_sums(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const MsScale& scale = cited.scale;
  const int32_t world_size = input.job.fabric.world_size();
  const int64_t compute_permille = input.run.compute_rate_permille;
  const int64_t comm_permille = input.run.comm_rate_permille;
  const TimeNs beside_ns = scale.round(cited.exposed_ns * 1000 / comm_permille);
  const TimeNs price_ns = scale.round(beside_ns * (1000 - compute_permille) / 1000);
  const int64_t last_bytes = input.fixed.collective_bytes.back();
  const TimeNs last_ns = scale.round(
      hardware::transfer_ns(hardware::Collective::all_reduce, last_bytes, input.job.fabric, *input.job.gpu));
  truth.win.reckoned_ns = cited.exposed_ns - price_ns - last_ns;
  truth.win.sums = {
      {"all-reduce a step: " + bytes_text(traced.bytes_per_step()) + " x " + factor_text(world_size) + " / " +
           rate_text(busbw_of(traced.bytes_per_step(), cited.comm_ns, world_size)),
       scale.text(cited.comm_ns)},
      {"exposed", scale.text(cited.exposed_ns)},
      {"hidden, it takes " + scale.number(cited.exposed_ns) + " / " + decimal_text(comm_permille, 1000, 2) + " = " +
           scale.text(beside_ns) + ", compute beside it runs at " + decimal_text(compute_permille, 1000, 2),
       "- " + scale.text(price_ns)},
      {"the last bucket, " + bytes_text(last_bytes) + ", has no backward left to hide under",
       "- " + scale.text(last_ns)},
      {"what overlap can win", scale.text(truth.win.reckoned_ns), true},
  };
  add_measured_win(truth.win);
}

Truth explain_unoverlapped(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  Truth truth = start_truth(input);
  truth.headline = "All-reduce after backward";
  truth.summary = bytes_text(traced.bytes_per_step()) +
                  " of gradients are reduced only when backward has ended: " + cited.scale.text(cited.exposed_ns) +
                  " a step that backward could have hidden.";
  add_evidence(input, cited, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(input, cited);
  truth.lookalikes = {
      {"bandwidth_bound_collective",
       "There the first all-reduce starts early in backward and the last outlasts it. Here " +
           cited.scale.text(cited.comm_ns - cited.exposed_ns) + " of " + cited.scale.text(cited.comm_ns) +
           " has compute beside it, and backward is long enough to hide the rest."},
      {"straggler", "There one rank is late and its own bars are short. Here all are ready within " +
                        dur_text(cited.spread_ns) + " and their bars are alike."}};
  truth.read = {
      step_line(input),
      gaps_line(input),
      {"overlap", "NCCL is busy " + cited.scale.text(cited.comm_ns) + " a step, " + cited.scale.text(cited.exposed_ns) +
                      " of it exposed; none starts before backward ends."},
      longest_line(input)};
  add_sums(input, cited, truth);
  const TimeNs after_ns = cited.first.first_comm_ns - cited.backward.begin_ns;
  truth.number = DecidingNumber{.label = "start of the first all-reduce after backward began",
                                .unit = "% of backward",
                                .value_millionths = 100 * share_millionths(after_ns, cited.backward.length_ns()),
                                .slack_millionths = 0};
  return truth;
}

}  // namespace

Explainer unoverlapped_allreduce() { return {.cause = "unoverlapped_allreduce", .explain = explain_unoverlapped}; }

}  // namespace td::drill::explain
