#include <algorithm>
#include <numeric>
#include <vector>

#include "analysis/kernel_groups.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/job_code.h"

namespace td::drill::explain {
namespace {

// Why that rank is late.
enum class Why : uint8_t { clock, memory, data };

Why why_of(const ExplainInput& input) {
  const std::string& fault = input.instance.faults.front().fault;
  if (fault == "slow_hbm") return Why::memory;
  if (fault == "heavy_batch") return Why::data;
  return Why::clock;
}

std::string_view why_words(Why why) {
  switch (why) {
    case Why::memory:
      return "slow memory";
    case Why::data:
      return "more data";
    case Why::clock:
      break;
  }
  return "clock held low";
}

// What the sentences cite: who is slow, who waits, and the pinned step.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : slow(input.instance.faults.front().number("rank")),
        waiting(slow == 0 ? 1 : 0),
        mhz(input.instance.faults.front().number("mhz")),
        max_mhz(input.job.gpu->max_sm_mhz),
        why(why_of(input)),
        meets(meets_in(input.job)),
        scale(input.traced.mean_step_ns),
        tail(tail_of(input.traced.at[static_cast<size_t>(waiting)][0])),
        lateness_ns(input.traced.lateness_ns(static_cast<size_t>(slow))) {}

  int64_t slow;
  int64_t waiting;
  int64_t mhz;
  int64_t max_mhz;
  Why why;
  std::string meets;  // "all-reduce"
  MsScale scale;
  Interval tail;
  TimeNs lateness_ns;

  [[nodiscard]] std::string slow_rank() const { return "rank " + std::to_string(slow); }
  [[nodiscard]] std::string waiting_rank() const { return "rank " + std::to_string(waiting); }
};

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const auto slow = static_cast<size_t>(cited.slow);
  const auto waiting = static_cast<size_t>(cited.waiting);
  const Interval still_computing = {cited.tail.begin_ns, traced.at[slow][0].ready_ns};
  truth.evidence = {
      on_comm_row(traced, 'A', waiting, cited.tail, "exposed " + cited.meets + " on " + cited.waiting_rank()),
      on_compute_row(traced, 'B', slow, still_computing, "backward goes on, on " + cited.slow_rank()),
      on_comm_row(traced, 'C', slow, cited.tail, "the same on " + cited.slow_rank() + ": short bars"),
      on_compute_row(traced, 'D', slow, {traced.steps[0].begin_ns, traced.at[slow][0].ready_ns},
                     "forward and backward of " + cited.slow_rank()),
  };
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    const RankStep& late = traced.at[slow][step];
    const RankStep& early = traced.at[waiting][step];
    const auto rank = static_cast<int32_t>(cited.slow);
    // Either the time that the others wait, or the whole slow forward and backward.
    truth.places.push_back({rank, {early.ready_ns, late.ready_ns}});
    truth.places.push_back({rank, {traced.steps[step].begin_ns, late.ready_ns}});
    for (size_t other = 0; other < traced.ranks(); ++other) {
      if (other != slow) truth.nearby.push_back({traced.rows[other].rank, tail_of(traced.at[other][step])});
    }
  }
}

std::string bar_sum(const ExplainInput& input, const Cited& cited) {
  const size_t i = largest_collective(input.traced);
  return transfer_sum(input.traced.collective_bytes[i], input.traced.at[static_cast<size_t>(cited.slow)][0].bars[i],
                      input.job.fabric.world_size());
}

// The rank in the middle by forward and backward.
size_t median_rank(const Measured& measured) {
  std::vector<size_t> ranks(measured.ranks());
  std::iota(ranks.begin(), ranks.end(), size_t{0});
  std::ranges::stable_sort(ranks, {}, [&](size_t rank) { return measured.mean_of(rank, &RankStep::until_ready_ns); });
  return ranks[ranks.size() / 2];
}

TimeNs mean_bar(const RankStep& step) {
  TimeNs sum = 0;
  for (TimeNs bar : step.bars) sum += bar;
  return sum / static_cast<TimeNs>(step.bars.size());
}

// What a rank computes in the steps shown, by what a kernel is bound by: means per step.
struct Work {
  TimeNs products_ns = 0;
  TimeNs others_ns = 0;
  int64_t blocks = 0;  // thread blocks of the first step's kernels
};

Work work_on(const ExplainInput& input, size_t index) {
  const trace::RankTrace& rank = input.run.trace.ranks[index];
  const std::vector<Interval>& steps = input.traced.steps;
  const Interval window = {steps.front().begin_ns, steps.back().end_ns};
  Work work;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    if (rank.kind[slice] != trace::SliceKind::compute || begin_ns < window.begin_ns || begin_ns >= window.end_ns)
      continue;
    (analysis::is_product_kernel(rank.name_of(slice)) ? work.products_ns : work.others_ns) += rank.dur_ns[slice];
    const trace::KernelArgs* args = rank.kernel_args(slice);
    if (args == nullptr || begin_ns >= steps.front().end_ns) continue;
    work.blocks += int64_t{args->grid[0]} * args->grid[1] * args->grid[2];
  }
  const auto count = static_cast<TimeNs>(steps.size());
  return {work.products_ns / count, work.others_ns / count, work.blocks};
}

// What in its own compute says why the rank is late, beside the median one.
std::string why_text(const ExplainInput& input, const Cited& cited) {
  const size_t typical = median_rank(input.traced);
  const Work late = work_on(input, static_cast<size_t>(cited.slow));
  const Work other = work_on(input, typical);
  const std::string name = "rank " + std::to_string(input.traced.rows[typical].rank);
  const auto against = [&](TimeNs a, TimeNs b) { return cited.scale.number(a) + " against " + cited.scale.text(b); };
  const std::string kernels = "Its matrix products take " + against(late.products_ns, other.products_ns) +
                              " a step on " + name + ", its other kernels " + against(late.others_ns, other.others_ns);
  switch (cited.why) {
    case Why::memory:
      return kernels + ": what memory bounds is slow, products hardly are.";
    case Why::data:
      return "Its kernels have " + grouped_text(late.blocks) + " thread blocks in a step, those of " + name + " " +
             grouped_text(other.blocks) + ": larger grids, more to compute.";
    case Why::clock:
      break;
  }
  return kernels + ": what the SM clock bounds is slow, and the grids are the same.";
}

// Its own bars beside what their bytes need; in a pipeline, where messages are small, beside those of a waiting rank.
std::string bars_text(const ExplainInput& input, const Cited& cited) {
  if (input.job.parallelism.kind == sim::Parallelism::Kind::ddp) {
    return "Its own bars are transfer only, no wait: " + bar_sum(input, cited) + ".";
  }
  const auto comm = [&](int64_t rank) {
    return cited.scale.text(input.traced.mean_of(static_cast<size_t>(rank), &RankStep::comm_ns));
  };
  return "It waits least: " + comm(cited.slow) + " a step in NCCL, " + cited.waiting_rank() + " " +
         comm(cited.waiting) + ".";
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const auto count = static_cast<int64_t>(traced.steps.size());
  const int64_t times = traced.times_last(static_cast<size_t>(cited.slow));
  truth.signature = {
      {"After backward, " + cited.waiting_rank() + " spends " + cited.scale.text(cited.tail.length_ns()) + " in " +
           cited.meets + " with nothing under it.",
       "A"},
      {"Rank " + std::to_string(cited.slow) + " is still computing; it is the last one in " + count_word(times) +
           " of " + count_word(count) + " steps, by " + cited.scale.text(cited.lateness_ns) + " on average.",
       "B"},
      {bars_text(input, cited), "C"},
      {why_text(input, cited), "D"},
  };
}

// GB/s that a copy inside each GPU reaches: reads and writes nine tenths of the label.
ConfirmText confirm_memory(const ExplainInput& input, const Cited& cited) {
  const auto rank = static_cast<int32_t>(cited.slow);
  const auto full_gbps = static_cast<int64_t>(input.job.gpu->hbm_bytes_per_s / 1e9 * 0.9);
  ConfirmText text;
  text.id = "speed_of_light";
  text.command = "$ ssh " + input.traced.rows[static_cast<size_t>(rank)].host + " nvbandwidth -t device_local_copy";
  for (int32_t gpu = 0; gpu < input.job.fabric.gpus_per_node; ++gpu) {
    const bool slow = gpu == local_gpu_of(input.job, rank);
    const int64_t gbps = slow ? full_gbps * input.instance.faults.front().number("factor_permille") / 1000 : full_gbps;
    text.prints.push_back("GPU " + std::to_string(gpu) + ": " + std::to_string(gbps) + " GB/s");
  }
  text.text = "Bytes per second of each GPU's own memory: one has less, at the same SM clock.";
  return text;
}

ConfirmText confirm_data(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "cached_batch";
  text.command = "$ " + code_of(input.job).start + " --steps 20 --cached-batch";
  text.prints = {"20 steps, " + dur_text(input.fixed.mean_step_ns) +
                 " a step (with the loader: " + dur_text(input.traced.mean_step_ns) + ")"};
  text.text =
      "The same batch on every rank, again and again: if the lateness is gone, it was in the data. Tokens a rank, "
      "logged, say the same: " +
      cited.slow_rank() + " has " + std::to_string(input.instance.faults.front().number("batch")) +
      " sequences a batch, the others " + std::to_string(input.job.batch) + ".";
  return text;
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  if (cited.why == Why::memory) return confirm_memory(input, cited);
  if (cited.why == Why::data) return confirm_data(input, cited);
  const auto rank = static_cast<int32_t>(cited.slow);
  ConfirmText text;
  text.id = "sm_clocks";
  text.command = "$ ssh " + input.traced.rows[static_cast<size_t>(rank)].host +
                 " nvidia-smi --query-gpu=index,clocks.sm --format=csv,noheader";
  for (int32_t gpu = 0; gpu < input.job.fabric.gpus_per_node; ++gpu) {
    const int64_t mhz = gpu == local_gpu_of(input.job, rank) ? cited.mhz : cited.max_mhz;
    text.prints.push_back(std::to_string(gpu) + ", " + std::to_string(mhz) + " MHz");
  }
  text.text = "SM clocks per GPU, under load (DCGM field 100; field 112 gives the reasons): one is held at " +
              grouped_text(cited.mhz) + " MHz.";
  return text;
}

FixText fix_other(const ExplainInput& input, const Cited& cited) {
  const std::string gpu = std::to_string(local_gpu_of(input.job, static_cast<int32_t>(cited.slow)));
  const std::string host = input.traced.rows[static_cast<size_t>(cited.slow)].host;
  if (cited.why == Why::memory) {
    return {.id = "reset_clocks_or_drain",
            .text = "Unlock the memory clock of GPU " + gpu + " on " + host +
                    ", or drain the node if its memory retries. Kernels bound by memory shrink; matrix products stay.",
            .code_title = "ops/node_prolog.sh",
            .code_before = "nvidia-smi -pm 1\nnvidia-smi -i " + gpu + " -lmc $LOW  # left from a power test",
            .code_after = "nvidia-smi -pm 1\nnvidia-smi -i " + gpu + " -rmc"};
  }
  return {.id = "stable_shapes",
          .text = "Deal sequences by their tokens, so that every rank has as many: a bucketed sampler, or packing.",
          .code_title = "data.py",
          .code_before = "sampler = DistributedSampler(data)  # by document",
          .code_after = "sampler = TokenBalancedSampler(data, tokens_per_rank=t)"};
}

FixText fix(const ExplainInput& input, const Cited& cited) {
  if (cited.why != Why::clock) return fix_other(input, cited);
  const auto rank = static_cast<int32_t>(cited.slow);
  const std::string gpu = std::to_string(local_gpu_of(input.job, rank));
  const std::string mhz = std::to_string(cited.mhz);
  FixText text;
  text.id = "reset_clocks_or_drain";
  text.text = "Unlock the clock of GPU " + gpu + " on " + input.traced.rows[static_cast<size_t>(rank)].host +
              ". Its compute-bound kernels shrink by " + grouped_text(cited.mhz) + " / " + grouped_text(cited.max_mhz) +
              "; memory-bound ones stay.";
  text.code_title = "ops/node_prolog.sh";
  text.code_before = "nvidia-smi -pm 1\nnvidia-smi -i " + gpu + " -lgc " + mhz + "," + mhz + "  # power test";
  text.code_after = "nvidia-smi -pm 1\nnvidia-smi -i " + gpu + " -rgc\ncheck_clocks --min-sm-mhz " +
                    std::to_string(cited.max_mhz * 96 / 100) + " --all-gpus";
  return text;
}

// Forward and backward of the late rank, less what they would take at the others' time from the step's begin to the
// first collective.
TimeNs late_by_pace_ns(const ExplainInput& input, const Cited& cited) {
  const Measured& traced = input.traced;
  TimeNs late_ns = 0;
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    const TimeNs begin_ns = traced.steps[step].begin_ns;
    const RankStep& own = traced.at[static_cast<size_t>(cited.slow)][step];
    std::vector<TimeNs> others;
    for (const auto& rank : traced.at) others.push_back(rank[step].first_comm_ns - begin_ns);
    const TimeNs usual_ns = median_of(std::move(others));
    const TimeNs own_ns = own.first_comm_ns - begin_ns;
    if (own_ns <= usual_ns) continue;
    late_ns += static_cast<TimeNs>(static_cast<__int128>(own.ready_ns - begin_ns) * (own_ns - usual_ns) / own_ns);
  }
  return late_ns / static_cast<TimeNs>(traced.steps.size());
}

std::string summary(const ExplainInput& input, const Cited& cited) {
  const std::string wait =
      count_word(static_cast<int64_t>(input.traced.ranks()) - 1) + " ranks wait for it in every step.";
  const sim::FaultInstance& fault = input.instance.faults.front();
  switch (cited.why) {
    case Why::memory:
      return "Its GPU's memory has " + percent_text(fault.number("factor_permille") * 1000) +
             " of the others' bandwidth; " + wait;
    case Why::data:
      return "Its batches hold " + std::to_string(fault.number("batch")) + " sequences, those of the others " +
             std::to_string(input.job.batch) + "; " + wait;
    case Why::clock:
      break;
  }
  return "Its GPU runs at " + grouped_text(cited.mhz) + " MHz instead of " + grouped_text(cited.max_mhz) + "; " + wait;
}

// Transfers with compute of `rank` beside them, a step: the late rank's bars are transfers and nothing else.
TimeNs transfers_beside_ns(const ExplainInput& input, size_t late, size_t rank) {
  const IntervalSet transfers = work_of(input.run.trace.ranks[late], trace::SliceKind::comm);
  const IntervalSet both = intersect(transfers, work_of(input.run.trace.ranks[rank], trace::SliceKind::compute));
  TimeNs sum = 0;
  for (const Interval& step : input.traced.steps) sum += total_ns(clip(both, step));
  return sum / static_cast<TimeNs>(input.traced.steps.size());
}

// Compute of the late rank against the median one's, each freed from what NCCL costs beside it: transfers their full
// price, kernels that wait for the late rank half of it (docs/models/contention.md). What the transfers cost the late
// rank stays, at any pace.
void add_sums(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const MsScale& scale = cited.scale;
  const auto slow_rank = static_cast<size_t>(cited.slow);
  const size_t typical = median_rank(traced);
  const TimeNs slow = scale.round(traced.mean_of(slow_rank, &RankStep::until_ready_ns));
  const TimeNs slow_beside = scale.round(traced.hidden_ns(slow_rank));
  const TimeNs stays = scale.round(lost_beside_ns(input, slow_beside));
  const TimeNs other = scale.round(traced.mean_of(typical, &RankStep::until_ready_ns));
  const TimeNs other_beside = scale.round(traced.hidden_ns(typical));
  const TimeNs other_transfers = scale.round(transfers_beside_ns(input, slow_rank, typical));
  const TimeNs price = scale.round(lost_beside_ns(input, (other_beside + other_transfers) / 2));
  const std::string name = "rank " + std::to_string(traced.rows[typical].rank);
  truth.win.reckoned_ns = slow - stays - (other - price);
  truth.win.sums = {
      {"forward + backward, " + cited.slow_rank(), scale.text(slow)},
      {"of it lost to transfers beside: " + beside_text(input, scale, slow_beside), "- " + scale.text(stays)},
      {"forward + backward, " + name + ", the median", "- " + scale.text(other)},
      {"of it lost to NCCL beside, transfers " + scale.number(other_transfers) + " and, at half the price, waiting " +
           scale.number(other_beside - other_transfers),
       "+ " + scale.text(price)},
      {"excess = what a fix can win", scale.text(truth.win.reckoned_ns), true},
  };
  add_measured_win(truth.win);
}

Truth explain_straggler(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  Truth truth = start_truth(input);
  truth.headline = "Straggler: " + cited.slow_rank() + ", " + std::string(why_words(cited.why));
  truth.summary = summary(input, cited);
  add_evidence(input, cited, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(input, cited);
  if (cited.why != Why::clock) {
    truth.right_confirms = {truth.confirm.id};
    truth.right_fixes = {truth.fix.id};
  }
  // SM clocks are right to look at first: equal ones rule one form out.
  if (cited.why == Why::memory) truth.right_confirms.emplace_back("sm_clocks");
  const RankStep& waiting = traced.at[static_cast<size_t>(cited.waiting)][0];
  const bool reduces = input.job.parallelism.kind == sim::Parallelism::Kind::ddp;
  truth.lookalikes = {
      {"bandwidth_bound_collective", "There every rank shows the same bars, and bytes / busbw explains them. Here " +
                                         (reduces ? bar_sum(input, cited) + ", while the" : std::string("the")) +
                                         " mean bar on " + cited.waiting_rank() + " is " + dur_text(mean_bar(waiting)) +
                                         " and " + cited.slow_rank() + " does not wait."}};
  truth.read = {step_line(input),
                gaps_line(input),
                {"overlap",
                 "Transfer takes " + cited.scale.text(traced.transfer_per_step_ns()) + " of " +
                     cited.scale.text(traced.mean_of(static_cast<size_t>(cited.waiting), &RankStep::comm_ns)) +
                     " in NCCL on " + cited.waiting_rank() + "; the rest is waiting, under compute and after it. " +
                     "Rank " + std::to_string(cited.slow) + " spends " +
                     cited.scale.text(traced.mean_of(static_cast<size_t>(cited.slow), &RankStep::comm_ns)) + " there.",
                 static_cast<size_t>(cited.waiting)},
                longest_line(input)};
  add_sums(input, cited, truth);
  // Read off the others' exposed bars it includes the last bucket's transfer; that is right too. So is what the step
  // would end sooner by, as a replay of the step gives it (analysis/lateness.h): more, since the waiting ranks'
  // backward is slowed by the kernels that wait beside it.
  const TimeNs exposed_ns = traced.mean_of(static_cast<size_t>(cited.waiting), &RankStep::exposed_ns);
  const TimeNs apart_ns = exposed_ns > cited.lateness_ns ? exposed_ns - cited.lateness_ns : 0;
  // Slow memory takes more of forward, with its norms and activations, than of backward: by the pace of forward, which
  // is what stands free of NCCL, the rank is later than it comes to be.
  const TimeNs by_pace_ns = cited.why == Why::memory ? late_by_pace_ns(input, cited) : 0;
  const TimeNs slack_ns = std::max(apart_ns, by_pace_ns - cited.lateness_ns);
  truth.number = DecidingNumber{.label = "lateness of the last rank",
                                .unit = "ms a step",
                                .value_millionths = ms_millionths(cited.lateness_ns),
                                .slack_millionths = ms_millionths(slack_ns),
                                .other = OtherWay{.value_note = "end of its backward after the median rank's",
                                                  .note = "by which the step would end sooner",
                                                  .value_millionths = ms_millionths(truth.win.reckoned_ns),
                                                  .told_permille = 100}};
  return truth;
}

}  // namespace

Explainer straggler() { return {.cause = "straggler", .explain = explain_straggler}; }

}  // namespace td::drill::explain
