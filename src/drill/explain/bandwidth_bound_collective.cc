#include <algorithm>

#include "base/math.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/job_code.h"
#include "hardware/fabric.h"
#include "hardware/formula/kernel_time.h"

namespace td::drill::explain {
namespace {

TimeNs expected_transfer_ns(const sim::Job& job, const Measured& measured) {
  TimeNs sum = 0;
  for (int64_t size_bytes : measured.collective_bytes) {
    sum += hardware::transfer_ns(hardware::Collective::all_reduce, size_bytes, job.fabric, *job.gpu);
  }
  return sum;
}

// A rank on another node where there is one.
size_t other_rank(const Measured& measured) { return measured.ranks() / 2; }

TimeNs spread_ns(const Measured& measured) { return measured.after_first_ns(measured.last_rank()); }

std::string step_sum(const ExplainInput& input, TimeNs dur_ns) {
  return transfer_sum(input.traced.bytes_per_step(), dur_ns, input.job.fabric.world_size());
}

void add_evidence(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const RankStep& first = traced.at[0][0];
  const size_t other = other_rank(traced);
  const std::string other_name = "rank " + std::to_string(traced.rows[other].rank);
  truth.evidence = {
      on_comm_row(traced, 'A', 0, tail_of(first), "exposed all-reduce on rank 0"),
      on_comm_row(traced, 'B', 0, {first.first_comm_ns, first.last_comm_ns}, "all-reduce, bucket after bucket"),
      on_comm_row(traced, 'C', other, tail_of(traced.at[other][0]), "the same on " + other_name),
  };
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    const RankStep& at = traced.at[0][step];
    truth.places.push_back({-1, tail_of(at)});
    truth.places.push_back({-1, {at.first_comm_ns, at.last_comm_ns}});
  }
}

void add_signature(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const MsScale scale(traced.mean_step_ns);
  const RankStep& first = traced.at[0][0];
  const TimeNs begin_ns = traced.steps[0].begin_ns;
  truth.signature = {
      {"The first of " + std::to_string(first.bars.size()) + " all-reduces starts " +
           scale.text(first.first_comm_ns - begin_ns) + " into the step, " +
           percent_text(share_millionths(first.first_comm_ns - begin_ns, first.ready_ns - begin_ns)) +
           " of the way to the end of backward, and they run back to back.",
       "B"},
      {"They outlast backward by " + scale.text(tail_of(first).length_ns()) + " with nothing under them.", "A"},
      {"Every rank shows the same: the last one is ready " + dur_text(spread_ns(traced)) + " after the first.", "C"},
      {"The bytes explain it: " + step_sum(input, expected_transfer_ns(input.job, traced)) + " on " +
           hardware::describe(input.job.fabric) + ", and the bars add up to " +
           dur_text(traced.transfer_per_step_ns()) + ".",
       "B"},
  };
}

ConfirmText confirm(const ExplainInput& input) {
  const sim::Job& job = input.job;
  const int32_t world_size = job.fabric.world_size();
  ConfirmText text;
  text.id = "nccl_tests";
  text.command = "$ mpirun -np " + std::to_string(world_size) + " all_reduce_perf -b 8M -e 512M -f 8 -g 1";
  text.prints.emplace_back("size (B)    time (us)   busbw (GB/s)");
  for (int64_t size_bytes : {8 * kMiB, 64 * kMiB, 512 * kMiB}) {
    const TimeNs dur_ns = hardware::transfer_ns(hardware::Collective::all_reduce, size_bytes, job.fabric, *job.gpu);
    std::string size = std::to_string(size_bytes);
    std::string time = decimal_text(dur_ns, kNsPerUs, 0);
    size.resize(std::max<size_t>(size.size(), 12), ' ');
    time.resize(std::max<size_t>(time.size(), 12), ' ');
    text.prints.push_back(size + time + decimal_text(busbw_of(size_bytes, dur_ns, world_size), kNsPerS, 1));
  }
  text.text = "nccl-tests over the same nodes reaches no more busbw than the trace: the fabric is used up, not broken.";
  return text;
}

bool is_sharded(const sim::Job& job) { return job.parallelism.kind == sim::Parallelism::Kind::fsdp; }

FixText compress_fix(const sim::Job& job) {
  const std::string model = code_of(job).model;
  if (is_sharded(job)) {
    return {.id = "compress_gradients",
            .text = "Gradients are reduced in fp32. Reduced in bf16 they are half the bytes, and take half the time.",
            .code_title = "train.py",
            .code_before = model,
            .code_after =
                "bf16 = MixedPrecisionPolicy(reduce_dtype=torch.bfloat16)\n"
                "for block in model.blocks:\n"
                "    fully_shard(block, mp_policy=bf16)\n"
                "fully_shard(model, mp_policy=bf16)"};
  }
  return {.id = "compress_gradients",
          .text =
              "Gradients are reduced in fp32. Cast to bf16 the same buckets carry half the bytes, so the all-reduce "
              "takes half the time; the casts, there and back, cost little.",
          .code_title = "train.py",
          .code_before = model,
          .code_after = model +
                        "\n"
                        "model.register_comm_hook(None, default_hooks.bf16_compress_hook)"};
}

FixText accumulate_fix(const sim::Job& job, int32_t before, int32_t after) {
  const std::string k = std::to_string(after);
  const std::string from = before == 1 ? "every microbatch" : "every " + std::to_string(before) + " microbatches";
  return {.id = "accumulate_gradients",
          .text = "Gradients are in bf16 already. Reduce them once in " + k + " microbatches instead of " + from +
                  ": the same bytes for more tokens. (The global batch grows; so must the learning-rate schedule.)",
          .code_title = "train.py",
          .code_before =
              "for batch in loader:\n"
              "    loss(model(batch)).backward()\n"
              "    optimizer.step()",
          .code_after =
              "for i, batch in enumerate(loader):\n"
              "    last = (i + 1) % " +
              k + " == 0\n" +
              std::string(is_sharded(job) ? "    model.set_requires_gradient_sync(last)\n    "
                                          : "    with nullcontext() if last else model.no_sync():\n        ") +
              "(loss(model(batch)) / " + k +
              ").backward()\n"
              "    if last:\n"
              "        optimizer.step()"};
}

// Half the bytes. From the first bucket to the last, compute and transfers run beside each other, and each slows the
// other: with c and q the rates of compute and of a transfer beside each other,
//   work of the transfers  N = exposed + q x hidden        of backward  B = c x hidden
// With N' = N / 2 either the transfers end first, and what they cost backward is (1 - c) of their time N' / q, plus the
// last bucket, which starts when backward ends; or they still outlast it: B / c of both, the rest of N' alone.
void add_compressed_sums(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const MsScale scale(traced.mean_step_ns);
  const int64_t c = input.run.compute_rate_permille;
  const int64_t q = input.run.comm_rate_permille;
  const TimeNs comm = scale.round(traced.mean_of(0, &RankStep::comm_ns));
  const TimeNs exposed = scale.round(traced.mean_of(0, &RankStep::exposed_ns));
  const TimeNs hidden = comm - exposed;
  const TimeNs half = scale.round((exposed + hidden * q / 1000) / 2);
  const TimeNs backward = scale.round(hidden * c / 1000);
  const TimeNs last = scale.round(hardware::transfer_ns(
      hardware::Collective::all_reduce, traced.collective_bytes.back() / 2, input.job.fabric, *input.job.gpu));
  const TimeNs price = scale.round(lost_beside_ns(input, (half - last) * 1000 / q));
  const double elements =
      static_cast<double>(traced.bytes_per_step()) / static_cast<double>(trace::size_bytes(input.job.grad_dtype));
  const TimeNs casts = scale.round(2 * hardware::stream_time(6 * elements, *input.job.gpu).total_ns());
  const TimeNs rest = half - hidden * q / 1000;
  const bool hides = backward + price + last >= hidden + rest;
  const TimeNs left = hides ? backward + price + last : scale.round(hidden + rest);
  truth.win.reckoned_ns = comm - left - casts;
  const std::string rates = "(beside each other compute runs at " + decimal_text(c, 1000, 2) + ", a transfer at " +
                            decimal_text(q, 1000, 2) + ")";
  truth.win.sums = {
      {"all-reduce measured on rank 0: " + bytes_text(traced.bytes_per_step()) + " x " +
           factor_text(input.job.fabric.world_size()) + " / " +
           rate_text(busbw_of(traced.bytes_per_step(), comm, input.job.fabric.world_size())),
       scale.text(comm)},
      {"of it exposed", scale.text(exposed)},
      {"half the bytes, alone: (" + scale.number(exposed) + " + " + scale.number(hidden) + " x " +
           decimal_text(q, 1000, 2) + ") / 2",
       scale.text(half)},
      {"backward under it, alone: " + scale.number(hidden) + " x " + decimal_text(c, 1000, 2) + " " + rates,
       scale.text(backward)},
  };
  if (hides) {
    truth.win.sums.push_back({"half the bytes hide: backward " + scale.number(backward) + " + its price " +
                                  scale.number(price) + " + the last bucket " + scale.number(last),
                              "- " + scale.text(left)});
  } else {
    truth.win.sums.push_back({"they still outlast it: beside backward " + scale.number(hidden) +
                                  ", then the rest alone " + scale.number(left - hidden),
                              "- " + scale.text(left)});
  }
  truth.win.sums.push_back({"casts there and back: 2 x 6 B x " + decimal_text(round_to_int(elements / 1e6), 1000, 2) +
                                " G elements through HBM",
                            "- " + scale.text(casts)});
  truth.win.sums.push_back({"all-reduce as traced less all that = the win", scale.text(truth.win.reckoned_ns), true});
  add_measured_win(truth.win);
}

// More microbatches under one reduction. What is no forward or backward is paid once a step: exposed transfers, what
// hidden ones cost, the optimizer. Shared by b microbatches where it was a, a token pays a / b of it.
void add_accumulated_sums(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const MsScale scale(traced.mean_step_ns);
  const int64_t before = input.instance.job.accumulation;
  const int64_t after = input.instance.fixed_job.accumulation;
  const TimeNs beside = scale.round(traced.hidden_ns(0));
  const TimeNs price = scale.round(lost_beside_ns(input, beside));
  const TimeNs work = scale.round(traced.mean_of(0, &RankStep::until_ready_ns)) - price;
  const TimeNs once = truth.win.step_ns - work;
  const std::string share = before == 1 ? "1 - 1 / " + std::to_string(after)
                                        : "1 - " + std::to_string(before) + " / " + std::to_string(after);
  truth.win.reckoned_ns = scale.round(once * (after - before) / after);
  truth.win.sums = {
      {"step as traced", scale.text(truth.win.step_ns)},
      {"forward + backward on rank 0, undisturbed: " + scale.number(work + price) + " - " +
           beside_text(input, scale, beside),
       "- " + scale.text(work)},
      {"paid once a step: exposed all-reduce, what the hidden one costs, optimizer", scale.text(once)},
      {"shared by " + std::to_string(after) + " microbatches instead of " + std::to_string(before) + ": " +
           scale.number(once) + " x (" + share + ")",
       scale.text(truth.win.reckoned_ns), true},
      {"fixed step " + scale.text(scale.round(input.fixed.mean_step_ns)) + ", tokens x " +
           decimal_text(input.fixed.tokens_per_step, traced.tokens_per_step,
                        input.fixed.tokens_per_step % traced.tokens_per_step == 0 ? 0 : 2) +
           ": for the same tokens",
       scale.text(truth.win.fixed_step_ns)},
  };
  add_measured_win(truth.win);
}

void add_sums(const ExplainInput& input, Truth& truth) {
  if (input.instance.per_token) {
    add_accumulated_sums(input, truth);
  } else {
    add_compressed_sums(input, truth);
  }
}

Truth explain_bandwidth(const ExplainInput& input) {
  const Measured& traced = input.traced;
  const MsScale scale(traced.mean_step_ns);
  const TimeNs transfer_ns = traced.transfer_per_step_ns();
  const TimeNs expected_ns = expected_transfer_ns(input.job, traced);
  Truth truth = start_truth(input);
  truth.headline = "Bandwidth-bound all-reduce";
  truth.summary = bytes_text(traced.bytes_per_step()) + " of gradients a step take " + dur_text(transfer_ns) +
                  " on this fabric; backward hides only part of it, on every rank alike.";
  add_evidence(input, truth);
  add_signature(input, truth);
  truth.confirm = confirm(input);
  truth.fix = input.instance.per_token
                  ? accumulate_fix(input.job, input.instance.job.accumulation, input.instance.fixed_job.accumulation)
                  : compress_fix(input.job);
  // The catalogue's order is general; this instance's own fix comes first, and halving needs fp32 on the wire.
  std::erase(truth.right_fixes, truth.fix.id);
  if (input.instance.per_token) std::erase(truth.right_fixes, "compress_gradients");
  truth.right_fixes.insert(truth.right_fixes.begin(), truth.fix.id);
  const RankStep& first = traced.at[0][0];
  truth.lookalikes = {
      {"straggler", "There one rank is late and its own bars are short. Here all are ready within " +
                        dur_text(spread_ns(traced)) + ", and " + step_sum(input, expected_ns) +
                        " explains the bars of every rank."},
      {"unoverlapped_allreduce", "There the first all-reduce starts when backward ends. Here it starts " +
                                     scale.text(first.ready_ns - first.first_comm_ns) + " before that."}};
  truth.read = {step_line(input),
                gaps_line(input),
                {"overlap", "NCCL is busy " + scale.text(traced.mean_of(0, &RankStep::comm_ns)) + " a step, " +
                                scale.text(traced.mean_of(0, &RankStep::exposed_ns)) +
                                " of it exposed; the shortest bars over the ranks add up to " +
                                scale.text(transfer_ns) + ", so nearly all of it is transfer."},
                longest_line(input)};
  add_sums(input, truth);
  // Reckoned from the fabric's label or read off the bars, which compute beside NCCL makes longer: both are right.
  truth.number = DecidingNumber{.label = "all-reduce time by bytes x factor / busbw",
                                .unit = "ms a step",
                                .value_millionths = ms_millionths(expected_ns),
                                .other = OtherWay{.value_note = "bytes x factor / busbw of the stated fabric",
                                                  .note = "measured: the shortest bars added up",
                                                  .value_millionths = ms_millionths(transfer_ns),
                                                  .told_permille = 30}};
  return truth;
}

}  // namespace

Explainer bandwidth_bound_collective() { return {.cause = "bandwidth_bound_collective", .explain = explain_bandwidth}; }

}  // namespace td::drill::explain
