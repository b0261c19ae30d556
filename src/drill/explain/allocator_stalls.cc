#include <algorithm>

#include "drill/allocator_gaps.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/job_code.h"

namespace td::drill::explain {
namespace {

// [rank][step]
using Gaps = std::vector<std::vector<std::vector<AllocatorGap>>>;

Gaps gaps_in(const ExplainInput& input) {
  Gaps gaps(input.traced.ranks());
  for (size_t rank = 0; rank < gaps.size(); ++rank) {
    for (const Interval& step : input.traced.steps) {
      gaps[rank].push_back(allocator_gaps(input.run.trace.ranks[rank], step));
    }
  }
  return gaps;
}

TimeNs dry_ns(const std::vector<AllocatorGap>& gaps) {
  TimeNs sum = 0;
  for (const AllocatorGap& gap : gaps) sum += gap.dry_ns;
  return sum;
}

// What the sentences cite: the longest stall, and what the stalls cost on the rank that loses most, which the others
// wait for.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : gaps(gaps_in(input)),
        only(input.traced.ranks() > 1 ? input.instance.faults.front().number("rank", -1) : -1),
        steps(static_cast<int64_t>(input.traced.steps.size())),
        scale(input.traced.mean_step_ns) {
    TimeNs most_ns = 0;
    for (size_t r = 0; r < gaps.size(); ++r) {
      TimeNs sum_ns = 0;
      for (const auto& of_step : gaps[r]) sum_ns += dry_ns(of_step);
      if (sum_ns <= most_ns) continue;
      most_ns = sum_ns;
      rank = r;
    }
    for (size_t s = 0; s < gaps[rank].size(); ++s) {
      const TimeNs step_ns = dry_ns(gaps[rank][s]);
      if (step_ns > dry_ns(gaps[rank][step])) step = s;
      for (const AllocatorGap& gap : gaps[rank][s]) {
        if (gap.dry_ns > longest.dry_ns) longest = gap;
        calls_ns += gap.calls.length_ns();
        frees += gap.frees;
        ++stalls;
      }
    }
    for (const auto& of_step : gaps[rank]) hit += dry_ns(of_step) * 5 > dry_ns(gaps[rank][step]) ? 1 : 0;
    waiting = rank == 0 ? 1 : 0;
    lost_ns = scale.round(most_ns);
    each_ns = scale.round(lost_ns / steps);
  }

  Gaps gaps;
  int64_t only;  // the one rank whose allocator misses, -1 if all do
  int64_t steps;
  MsScale scale;
  size_t rank = 0;
  size_t step = 0;     // the one that loses most
  size_t waiting = 0;  // another rank
  AllocatorGap longest;
  int64_t hit = 0;  // steps with a fifth of that loss or more
  int64_t stalls = 0;
  int64_t frees = 0;
  TimeNs calls_ns = 0;
  TimeNs lost_ns = 0;
  TimeNs each_ns = 0;

  [[nodiscard]] bool one() const { return only >= 0; }
  [[nodiscard]] std::string name() const { return "rank " + std::to_string(rank); }
};

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const Interval calls =
      clip(IntervalSet{cited.longest.calls}, {traced.steps.front().begin_ns, traced.steps.back().end_ns}).front();
  truth.evidence = {
      on_compute_row(traced, 'A', cited.rank, cited.longest.dry,
                     "no compute while the host frees and maps memory, on " + cited.name()),
      {.letter = 'B',
       .rank = traced.rows[cited.rank].rank,
       .track = cited.longest.thread,
       .at = calls,
       .text = "cudaFree after cudaFree, then cudaMalloc, on the launching thread of " + cited.name()},
  };
  for (size_t rank = 0; rank < traced.ranks(); ++rank) {
    if (cited.one() && rank != cited.rank) continue;
    for (const auto& step : cited.gaps[rank]) {
      for (const AllocatorGap& gap : step) {
        truth.places.push_back({traced.rows[rank].rank, gap.dry});
        truth.places.push_back({traced.rows[rank].rank, gap.calls});
      }
    }
  }
  if (!cited.one()) {
    if (traced.ranks() < 2) return;
    const std::vector<AllocatorGap>& others = cited.gaps[cited.waiting][cited.step];
    if (others.empty()) return;
    truth.evidence.push_back(on_compute_row(traced, 'C', cited.waiting, others.front().dry,
                                            "no compute on rank " + std::to_string(cited.waiting) + " either"));
    return;
  }
  const RankStep& waits = traced.at[cited.waiting][cited.step];
  truth.evidence.push_back(on_comm_row(traced, 'C', cited.waiting, {waits.first_comm_ns, waits.last_comm_ns},
                                       "rank " + std::to_string(cited.waiting) + " waits in NCCL"));
  for (size_t other = 0; other < traced.ranks(); ++other) {
    const RankStep& at = traced.at[other][cited.step];
    if (other != cited.rank) truth.nearby.push_back({traced.rows[other].rank, {at.first_comm_ns, at.last_comm_ns}});
  }
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  truth.signature = {
      {"In " + count_word(cited.hit) + " of " + count_word(cited.steps) + " steps " + cited.name() +
           " stops computing, " + count_word(cited.stalls) + (cited.stalls == 1 ? " time" : " times") +
           " in all, for up to " + dur_text(cited.longest.dry.length_ns()) + ".",
       "A"},
      {"Meanwhile the thread that launches is in cudaFree, " + std::to_string(cited.longest.frees) +
           " times in a row, and then in cudaMalloc. The first cudaFree waits until the device has run dry; nothing is "
           "launched until the last call has returned.",
       "B"}};
  if (cited.one()) {
    truth.signature.push_back({"Only " + cited.name() + " does it; rank " + std::to_string(cited.waiting) + " stands " +
                                   dur_text(input.traced.at[cited.waiting][cited.step].exposed_ns) +
                                   " in NCCL in that step.",
                               "C"});
  } else if (input.traced.ranks() > 1) {
    truth.signature.push_back({"Every rank does it in the same steps: their memory is cut up alike.", "C"});
  }
}

ConfirmText confirm(const Cited& cited) {
  ConfirmText text;
  text.id = "allocator_stats";
  text.command = "$ python -c 'import torch, train; train.main(steps=" + std::to_string(cited.steps) +
                 "); s = torch.cuda.memory_stats(); print(s[\"num_alloc_retries\"], s[\"num_device_free\"])'";
  text.prints = {std::to_string(cited.stalls) + " " + std::to_string(cited.frees)};
  text.text = "Retries and frees that rise while training, " +
              std::string(cited.one() ? "on " + cited.name() + " alone" : "on every rank") +
              ": after warm-up both should stand still.";
  return text;
}

FixText fix(const sim::Job& job) {
  FixText text;
  text.id = "stable_shapes";
  text.text =
      "Let segments grow instead of cutting memory into fixed ones, so that a request of another size finds room; or "
      "pad to few shapes and run the largest first.";
  text.code_title = "launch.sh";
  text.code_before = code_of(job).start;
  text.code_after = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True " + code_of(job).start;
  return text;
}

void add_sums(const Cited& cited, Win& win) {
  win.reckoned_ns = cited.each_ns;
  win.sums = {{"no compute under cudaFree and cudaMalloc, " + cited.name() + ", " + count_word(cited.stalls) +
                   (cited.stalls == 1 ? " stall" : " stalls"),
               cited.scale.text(cited.lost_ns)},
              {"over the " + count_word(cited.steps) + " steps shown", cited.scale.text(cited.each_ns), true}};
  add_measured_win(win);
}

Truth explain_allocator(const ExplainInput& input) {
  const Cited cited(input);
  Truth truth = start_truth(input);
  truth.headline = "Allocator stalls: " + (cited.one() ? cited.name() : std::string("all ranks"));
  truth.summary = "The caching allocator finds no block and frees what it holds, " +
                  std::to_string(cited.longest.frees) + " segments at a time, while the device stands still for " +
                  dur_text(cited.longest.dry.length_ns()) +
                  (cited.one() ? "; the other ranks wait." : ", on every rank.");
  add_evidence(input, cited, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(cited);
  truth.fix = fix(input.job);
  truth.lookalikes = {
      {"sync_stalls",
       "There a copy to the host and a synchronize stand before each gap, in every step alike. Here it is "
       "cudaFree, in " +
           count_word(cited.hit) + " of " + count_word(cited.steps) + " steps."},
      {"recompilation", "There the thread is in compile frames, for 0.3 s and more. Here it is in " +
                            std::to_string(cited.longest.frees) + " cudaFree calls, " +
                            dur_text(cited.longest.calls.length_ns()) + " in all."}};
  truth.read = {
      step_line(input),
      {"gaps", "The longest stretch without compute, " + dur_text(cited.longest.dry.length_ns()) + " on " +
                   cited.name() + ", is owned by cudaFree and cudaMalloc; the other steps have none like it."},
      {"overlap", "NCCL hides under backward; what is exposed in the long steps runs, or waits for " +
                      (cited.one() ? cited.name() : std::string("the last rank")) + ", while nothing computes."},
      longest_line(input)};
  add_sums(cited, truth.win);
  truth.number = DecidingNumber{.label = "time in cudaMalloc and cudaFree",
                                .unit = "ms a step",
                                .value_millionths = ms_millionths(cited.calls_ns / cited.steps),
                                .other = OtherWay{.value_note = "the calls, with their wait for the device",
                                                  .note = "of that, with nothing computing",
                                                  .value_millionths = ms_millionths(cited.lost_ns / cited.steps),
                                                  .told_permille = 20}};
  return truth;
}

}  // namespace

Explainer allocator_stalls() { return {.cause = "allocator_stalls", .explain = explain_allocator}; }

}  // namespace td::drill::explain
