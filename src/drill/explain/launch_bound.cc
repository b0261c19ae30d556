#include <algorithm>

#include "drill/explain.h"
#include "drill/explain_parts.h"

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

// What the sentences cite. The rank that waits for its host the longest sets the pace, and no NCCL kernel waits beside
// its compute; on the one that waits the least NCCL waits beside nearly all of it, and slows it. A job whose hosts are
// ahead has NCCL beside a part of backward on every rank: between the two.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : mhz(input.instance.faults.front().number("mhz")),
        full_mhz(input.instance.faults.front().number("full_mhz")),
        scale(input.traced.mean_step_ns),
        kernels(input.traced.launches[0][0].kernels),
        gaps(std::ssize(input.traced.launches[0][0].gaps)),
        least_ns(idle_per_step_ns(input.traced, 0)),
        most_ns(least_ns) {
    TimeNs sum_ns = 0;
    for (size_t rank = 0; rank < input.traced.ranks(); ++rank) {
      const TimeNs of_rank_ns = idle_per_step_ns(input.traced, rank);
      sum_ns += of_rank_ns;
      least_ns = std::min(least_ns, of_rank_ns);
      most_ns = std::max(most_ns, of_rank_ns);
    }
    least_ns = scale.round(least_ns);
    most_ns = scale.round(most_ns);
    mean_ns = scale.round(sum_ns / static_cast<TimeNs>(input.traced.ranks()));
    idle_ns = scale.round((mean_ns + most_ns) / 2);
    left_ns = scale.round(kernels * kQueuedGapNs);
  }

  int64_t mhz;
  int64_t full_mhz;
  MsScale scale;
  int64_t kernels;     // a step
  int64_t gaps;        // in the first step of rank 0
  TimeNs least_ns;     // compute waits for launches, mean of the steps: the rank with the least
  TimeNs most_ns;      // and with the most
  TimeNs mean_ns = 0;  // over the ranks
  TimeNs idle_ns = 0;  // midway between mean and most
  TimeNs left_ns = 0;  // what gaps of a microsecond would leave
};

Interval comb(const LaunchGaps& step) { return {step.gaps.front().begin_ns, step.gaps.back().end_ns}; }

// A few kernels with their gaps, a third into the step's gaps: inside forward.
Interval close_up(const LaunchGaps& step) {
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
    truth.places.push_back({-1, comb(traced.launches[0][step])});
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

void add_sums(const Cited& cited, Truth& truth) {
  truth.win.reckoned_ns = cited.idle_ns - cited.left_ns;
  truth.win.sums = {
      {"compute waits for launches, a step: midway between the mean rank's " + cited.scale.number(cited.mean_ns) +
           " and the slowest one's " + cited.scale.number(cited.most_ns),
       cited.scale.text(cited.idle_ns)},
      {"left with a full queue: " + std::to_string(cited.kernels) + " kernels x 1 us",
       "- " + cited.scale.text(cited.left_ns)},
      {"what a host that is ahead wins", cited.scale.text(truth.win.reckoned_ns), true},
  };
  add_measured_win(truth.win);
}

Truth explain_launch_bound(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  Truth truth = start_truth(input);
  truth.headline = "Launch-bound on every rank";
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
  add_sums(cited, truth);
  truth.number = DecidingNumber{.label = "median run-ahead (launch to kernel start)",
                                .unit = "us",
                                .value_millionths = traced.median_run_ahead_ns * 1'000,
                                .slack_millionths = 2'000'000};
  return truth;
}

}  // namespace

Explainer launch_bound() { return {.cause = "launch_bound", .explain = explain_launch_bound}; }

}  // namespace td::drill::explain
