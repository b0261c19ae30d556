#include <algorithm>

#include "drill/explain.h"
#include "drill/explain_parts.h"

namespace td::drill::explain {
namespace {

TimeNs idle_ns(const std::vector<ReadGap>& reads) {
  TimeNs sum = 0;
  for (const ReadGap& read : reads) sum += read.idle.length_ns();
  return sum;
}

// Mean over the steps.
TimeNs idle_per_step_ns(const Measured& measured, size_t rank) {
  TimeNs sum = 0;
  for (const auto& step : measured.reads[rank]) sum += idle_ns(step);
  return sum / static_cast<TimeNs>(measured.steps.size());
}

// What the sentences cite: how often a value is read, and what the device loses by it on the rank that loses most,
// which the others wait for.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : reads(sim::metrics_per_step(input.job)), scale(input.traced.mean_step_ns) {
    const Measured& traced = input.traced;
    for (size_t rank = 1; rank < traced.ranks(); ++rank) {
      if (idle_per_step_ns(traced, rank) > idle_per_step_ns(traced, pace)) pace = rank;
    }
    gap_us = (idle_per_step_ns(traced, pace) / reads + kNsPerUs / 2) / kNsPerUs;
    lost_ns = scale.round(reads * gap_us * kNsPerUs);
  }

  int64_t reads;
  MsScale scale;
  size_t pace = 0;
  int64_t gap_us = 0;  // mean
  TimeNs lost_ns = 0;  // reads x gap

  [[nodiscard]] std::string gap() const { return std::to_string(gap_us) + " us"; }
  [[nodiscard]] std::string times() const { return count_word(reads) + " times"; }
};

bool of_gradients(const ExplainInput& input) { return input.job.metrics.of == sim::Metrics::Of::gradients; }

// From a copy to the end of the idle that it opens.
Interval whole(const ReadGap& read) { return {read.copy.begin_ns, read.idle.end_ns}; }
Interval comb(const std::vector<ReadGap>& reads) { return {reads.front().copy.begin_ns, reads.back().idle.end_ns}; }

void add_evidence(const ExplainInput& input, Truth& truth) {
  const Measured& traced = input.traced;
  const size_t other = traced.ranks() - 1;
  const std::vector<ReadGap>& first = traced.reads[0][0];
  const auto longest = std::ranges::max_element(first, {}, [](const ReadGap& read) { return read.idle.length_ns(); });
  truth.evidence = {
      on_compute_row(traced, 'A', 0, comb(first), "the device runs dry again and again on rank 0"),
      on_compute_row(traced, 'B', 0, whole(*longest), "a copy of 4 bytes to the host, then idle"),
      on_compute_row(traced, 'C', other, comb(traced.reads[other][0]),
                     "the same on rank " + std::to_string(traced.rows[other].rank)),
  };
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    const std::vector<ReadGap>& reads = traced.reads[0][step];
    truth.places.push_back({-1, comb(reads)});
    for (const ReadGap& read : reads) truth.places.push_back({-1, whole(read)});
  }
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const TimeNs idle = traced.mean_of(0, &RankStep::idle_ns);
  TimeNs least = idle_per_step_ns(traced, 0);
  for (size_t rank = 1; rank < traced.ranks(); ++rank) least = std::min(least, idle_per_step_ns(traced, rank));
  const std::string_view where = of_gradients(input) ? "between backward and the optimizer" : "inside forward";
  truth.signature = {
      {"The device runs dry " + cited.times() + " a step, " + std::string(where) + ": " + cited.gap() +
           " each, and that is " + percent_text(share_millionths(idle_per_step_ns(traced, 0), idle)) +
           " of its idle time on rank 0.",
       "A"},
      {"Each time aten::item copies one value to the host and cudaStreamSynchronize waits for it. The host then writes "
       "its line before it launches again, and nothing is queued.",
       "B"},
      {"Every rank does it: " + cited.scale.number(cited.scale.round(least)) + " to " +
           cited.scale.text(cited.scale.round(idle_per_step_ns(traced, cited.pace))) + " a step.",
       "C"},
  };
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "sync_debug";
  text.command = "$ python -c 'import torch, train; torch.cuda.set_sync_debug_mode(\"warn\"); train.main(steps=1)'";
  const std::string line = of_gradients(input) ? "train.py:214" : "model.py:88";
  text.prints = {line + ": UserWarning: called a synchronizing CUDA operation",
                 "(the same line " + cited.times() + " a step)"};
  text.text = "The warning names the line; nsys analyze -r cuda_api_sync counts the same calls.";
  return text;
}

FixText fix(const ExplainInput& input) {
  FixText text;
  text.id = "remove_syncs";
  text.text =
      "Keep the norms on the device and read them together, every hundredth step: one sync where there were many, and "
      "none in the other steps.";
  if (of_gradients(input)) {
    text.code_title = "train.py";
    text.code_before =
        "for name, p in model.named_parameters():\n"
        "    log.write(f\"{name} {p.grad.norm().item():.3e}\\n\")";
    text.code_after =
        "norms = torch.stack([p.grad.norm() for p in model.parameters()])\n"
        "if step % 100 == 0:\n"
        "    log.write_all(names, norms.tolist())";
  } else {
    text.code_title = "model.py";
    text.code_before =
        "for block in self.blocks:\n"
        "    x = block(x)\n"
        "    self.stats.log(block.name, x.norm().item())";
    text.code_after =
        "for block in self.blocks:\n"
        "    x = block(x)\n"
        "    self.norms.append(x.detach().norm())\n"
        "if self.step % 100 == 0:\n"
        "    self.stats.log_all(torch.stack(self.norms).tolist())";
  }
  return text;
}

void add_sums(const Cited& cited, Truth& truth) {
  truth.win.sums = {{"values read on the host, a step", std::to_string(cited.reads)},
                    {"device idle after each, mean on the slowest rank", cited.gap()},
                    {std::to_string(cited.reads) + " x " + cited.gap() + " = what keeping them on the device wins",
                     cited.scale.text(cited.lost_ns), true}};
  truth.win.reckoned_ns = cited.lost_ns;
  add_measured_win(truth.win);
}

Truth explain_sync_stalls(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  Truth truth = start_truth(input);
  const std::string_view what = of_gradients(input) ? "gradient" : "activation";
  truth.headline = "Sync stalls: " + std::to_string(cited.reads) + " item() a step";
  truth.summary = "The norm of each logged " + std::string(what) + " is read on the host, " + cited.times() +
                  " a step; each time the device waits " + cited.gap() + " for its next launch.";
  add_evidence(input, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(input);
  truth.lookalikes = {
      {"launch_bound", "There a gap follows nearly every kernel, with no blocking call before it. Here " +
                           std::to_string(cited.reads) + " gaps hold the loss, each right after an item()."},
      {"allocator_stalls",
       "There cudaFree and cudaMalloc own the gaps, in some steps only. Here no allocation stands "
       "in them, and all " +
           count_word(static_cast<int64_t>(traced.steps.size())) + " steps have them."}};
  TimeNs longest = 0;
  for (const RankStep& step : traced.at[0]) longest = std::max(longest, step.longest_idle_ns);
  const TimeNs idle = traced.mean_of(0, &RankStep::idle_ns);
  truth.read = {
      step_line(input),
      {"gaps", "Rank 0 idles " + cited.scale.text(cited.scale.round(idle)) + " a step (" +
                   percent_text(share_millionths(idle, traced.mean_step_ns)) + "), the longest gap is " +
                   dur_text(longest) + "; a blocking call ends right before each of the " +
                   std::to_string(cited.reads) + " that matter."},
      {"overlap", "NCCL is busy " + cited.scale.text(traced.mean_of(0, &RankStep::comm_ns)) + " a step, " +
                      cited.scale.text(traced.mean_of(0, &RankStep::exposed_ns)) + " of it exposed: not the lever."},
      longest_line(input)};
  add_sums(cited, truth);
  // The loss that many jobs read at the step's end may be counted too.
  truth.number = DecidingNumber{.label = "blocking calls followed by a gap",
                                .unit = "a step",
                                .value_millionths = cited.reads * 1'000'000,
                                .slack_millionths = 1'000'000};
  return truth;
}

}  // namespace

Explainer sync_stalls() { return {.cause = "sync_stalls", .explain = explain_sync_stalls}; }

}  // namespace td::drill::explain
