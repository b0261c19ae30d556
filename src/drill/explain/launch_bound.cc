#include <algorithm>

#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "hardware/fabric.h"

namespace td::drill::explain {
namespace {

// Between kernels that follow each other from a full queue, or inside a graph.
constexpr TimeNs kQueuedGapNs = kNsPerUs;
// Kernels of the close-up.
constexpr size_t kShownGaps = 6;

TimeNs idle_per_step_ns(const Measured& measured, size_t rank) {
  TimeNs sum = 0;
  for (const LaunchGaps& step : measured.launches[rank]) sum += step.idle_ns;
  return sum / static_cast<TimeNs>(measured.steps.size());
}

// The rank that the others wait for: its NCCL kernels are transfers and no waiting.
size_t pace_rank(const Measured& measured) {
  size_t pace = 0;
  for (size_t rank = 1; rank < measured.ranks(); ++rank) {
    if (measured.mean_of(rank, &RankStep::comm_ns) < measured.mean_of(pace, &RankStep::comm_ns)) pace = rank;
  }
  return pace;
}

// What the sentences and sums cite. The step that a host far ahead leaves: the kernels of the rank that sets the pace,
// freed from what the transfers beside them cost, plus what the transfers will cost once kernels follow each other
// closely, the last bucket, and a microsecond a kernel.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : mhz(input.instance.faults.front().number("mhz")),
        full_mhz(input.instance.faults.front().number("full_mhz")),
        scale(input.traced.mean_step_ns),
        kernels(input.traced.launches[0][0].kernels),
        gaps(std::ssize(input.traced.launches[0][0].gaps)),
        least_ns(idle_per_step_ns(input.traced, 0)),
        most_ns(least_ns),
        pace(pace_rank(input.traced)) {
    const Measured& traced = input.traced;
    for (size_t rank = 0; rank < traced.ranks(); ++rank) {
      least_ns = std::min(least_ns, idle_per_step_ns(traced, rank));
      most_ns = std::max(most_ns, idle_per_step_ns(traced, rank));
    }
    least_ns = scale.round(least_ns);
    most_ns = scale.round(most_ns);
    compute_ns = scale.round(traced.mean_of(pace, &RankStep::compute_ns));
    beside_ns = scale.round(traced.hidden_ns(pace));
    freed_ns = scale.round(lost_beside_ns(input, beside_ns));
    const auto transfer = [&](int64_t bytes) {
      return hardware::transfer_ns(hardware::Collective::all_reduce, bytes, input.job.fabric, *input.job.gpu);
    };
    TimeNs all_ns = 0;
    for (const int64_t bytes : traced.collective_bytes) all_ns += transfer(bytes);
    const TimeNs last = traced.collective_bytes.empty() ? 0 : transfer(traced.collective_bytes.back());
    last_ns = scale.round(last);
    hides_ns = scale.round((all_ns - last) * 1000 / input.run.comm_rate_permille);
    price_ns = scale.round(lost_beside_ns(input, hides_ns));
    left_ns = scale.round(kernels * kQueuedGapNs);
    ahead_ns = compute_ns - freed_ns + price_ns + last_ns + left_ns;
  }

  int64_t mhz;
  int64_t full_mhz;
  MsScale scale;
  int64_t kernels;  // a step
  int64_t gaps;     // in the first step of rank 0
  TimeNs least_ns;  // compute waits for launches, mean of the steps: the rank with the least
  TimeNs most_ns;   // and with the most
  size_t pace;
  TimeNs compute_ns = 0;  // a step, of the pace rank
  TimeNs beside_ns = 0;   // of that, with a transfer beside it
  TimeNs freed_ns = 0;    // what that cost
  TimeNs hides_ns = 0;    // transfers under compute, once the host is ahead
  TimeNs price_ns = 0;    // what they cost it
  TimeNs last_ns = 0;     // the last bucket
  TimeNs left_ns = 0;     // gaps of a full queue
  TimeNs ahead_ns = 0;    // the step of a host that is ahead
};

// A step without a gap has no comb.
Interval comb(const LaunchGaps& step) {
  if (step.gaps.empty()) return {};
  return {step.gaps.front().begin_ns, step.gaps.back().end_ns};
}

// A few kernels with their gaps, a third into the step's gaps: inside forward.
Interval close_up(const LaunchGaps& step) {
  if (step.gaps.empty()) return {};
  const size_t first = step.gaps.size() / 5;
  const size_t last = std::min(first + kShownGaps, step.gaps.size() - 1);
  return {step.gaps[first].begin_ns, step.gaps[last].end_ns};
}

void add_evidence(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const size_t other = traced.ranks() - 1;
  truth.evidence = {
      on_compute_row(traced, 'A', 0, comb(traced.launches[0][0]), "gaps between the kernels of rank 0"),
      on_compute_row(traced, 'B', 0, close_up(traced.launches[0][0]), "a few of them, close up"),
      on_compute_row(traced, 'C', other, comb(traced.launches[other][0]),
                     "the same on rank " + std::to_string(traced.rows[other].rank)),
  };
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    if (!traced.launches[0][step].gaps.empty()) truth.places.push_back({-1, comb(traced.launches[0][step])});
    truth.places.push_back({-1, {traced.steps[step].begin_ns, traced.at[0][step].first_comm_ns}});
  }
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  truth.signature = {
      {"In " + std::to_string(cited.gaps) + " places of a step, with " + std::to_string(cited.kernels) +
           " kernels, compute stands still and the next kernel has not been launched yet.",
       "A"},
      {"The median kernel starts " + dur_text(traced.median_run_ahead_ns) +
           " after its launch call began: next to nothing is queued, where a host that is ahead has milliseconds.",
       "B"},
      {"Every rank waits for its own host: " + cited.scale.number(cited.least_ns) + " to " +
           cited.scale.text(cited.most_ns) + " a step. NCCL kernels that wait in those gaps do not fill them.",
       "C"},
  };
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "launch_queue";
  text.command = "$ nsys stats -r cuda_kern_exec_sum report.nsys-rep";
  const TimeNs period_ns = input.traced.mean_step_ns / cited.kernels;
  const TimeNs kernel_ns = input.traced.mean_of(0, &RankStep::compute_ns) / cited.kernels;
  text.prints = {"Count  " + std::to_string(cited.kernels) + " a step",
                 "KAvg   " + decimal_text(kernel_ns, kNsPerUs, 0) + " us (kernel time)",
                 "QMed   " + decimal_text(input.traced.median_run_ahead_ns, kNsPerUs, 0) +
                     " us at most (queue time; here from the start of the call)"};
  text.text = std::to_string(cited.kernels) + " kernels x " + decimal_text(period_ns, kNsPerUs, 0) +
              " us from launch to launch make the step. Then why the host is slow: turbostat on each node prints " +
              grouped_text(cited.mhz) + " MHz busy, of " + grouped_text(cited.full_mhz) + ".";
  return text;
}

FixText fix(const Cited& cited) {
  return {.id = "faster_host",
          .text = "Give the cores their clock back: they are capped at " + grouped_text(cited.mhz) + " of " +
                  grouped_text(cited.full_mhz) +
                  " MHz. CUDA graphs would hide the same host: one launch a step instead of " +
                  std::to_string(cited.kernels) + ".",
          .code_title = "ops/node_prolog.sh",
          .code_before = "cpupower frequency-set -u " + std::to_string(cited.mhz) + "MHz  # power test",
          .code_after = "cpupower frequency-set -g performance -u " + std::to_string(cited.full_mhz) + "MHz"};
}

void add_sums(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const MsScale& scale = cited.scale;
  truth.win.reckoned_ns = truth.win.step_ns - cited.ahead_ns;
  truth.win.sums = {
      {"kernels of a step, rank " + std::to_string(cited.pace), scale.text(cited.compute_ns)},
      {"lost to transfers beside them: " + beside_text(input, scale, cited.beside_ns),
       "- " + scale.text(cited.freed_ns)},
      {"close together they will lose " + beside_text(input, scale, cited.hides_ns), "+ " + scale.text(cited.price_ns)},
      {"the last bucket, which nothing hides", "+ " + scale.text(cited.last_ns)},
      {"gaps of a full queue: " + std::to_string(cited.kernels) + " x 1 us", "+ " + scale.text(cited.left_ns)},
      {"the step of a host that is ahead", scale.text(cited.ahead_ns)},
      {"wins " + scale.number(truth.win.step_ns) + " - " + scale.number(cited.ahead_ns),
       scale.text(truth.win.reckoned_ns), true},
  };
  add_measured_win(truth.win);
}

Truth explain_launch_bound(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  Truth truth = start_truth(input);
  truth.headline = traced.ranks() > 1 ? "Launch-bound on every rank" : "Launch-bound";
  truth.summary = "The hosts run at " + grouped_text(cited.mhz) + " of " + grouped_text(cited.full_mhz) +
                  " MHz and need longer to launch " + std::to_string(cited.kernels) +
                  " kernels than the GPUs need to run them.";
  add_evidence(input, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(cited);
  // Both are right; what this host lacks comes first.
  std::erase(truth.right_fixes, truth.fix.id);
  truth.right_fixes.insert(truth.right_fixes.begin(), truth.fix.id);
  truth.lookalikes = {
      {"sync_stalls", "There few, long gaps each follow a blocking call. Here " + std::to_string(cited.gaps) +
                          " gaps follow launches, and the host is never ahead enough to be blocked for long."},
      {"straggler",
       "There one rank is late and the others wait for it. Here every rank waits for its own host, all "
       "alike within " +
           dur_text(traced.after_first_ns(traced.last_rank())) + "."}};
  TimeNs longest = 0;
  for (const LaunchGaps& step : traced.launches[0]) {
    for (const Interval& gap : step.gaps) longest = std::max(longest, gap.length_ns());
  }
  const TimeNs idle = idle_per_step_ns(traced, 0);
  truth.read = {step_line(input),
                {"gaps", "On rank 0 no kernel computes " + cited.scale.text(cited.scale.round(idle)) + " a step (" +
                             percent_text(share_millionths(idle, traced.mean_step_ns)) +
                             ") because none has been launched; the longest such gap is " + dur_text(longest) + "."},
                {"overlap", "NCCL is resident " + cited.scale.text(traced.mean_of(0, &RankStep::comm_ns)) +
                                " a step and moves bytes for " + cited.scale.text(traced.transfer_per_step_ns()) +
                                " of it; the rest is waiting for gradients that come late everywhere."},
                longest_line(input)};
  add_sums(input, cited, truth);
  truth.number = DecidingNumber{.label = "median run-ahead (launch to kernel start)",
                                .unit = "us",
                                .value_millionths = traced.median_run_ahead_ns * 1'000,
                                .slack_millionths = 2'000'000};
  return truth;
}

}  // namespace

Explainer launch_bound() { return {.cause = "launch_bound", .explain = explain_launch_bound}; }

}  // namespace td::drill::explain
