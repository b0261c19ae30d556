#include <algorithm>
#include <string>

#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/pipeline_waits.h"

namespace td::drill::explain {
namespace {

// What the fix changes: more microbatches, smaller ones, or chunks that are interleaved.
enum class Change : uint8_t { more, smaller, interleaved };

Change change_of(const ExplainInput& input) {
  if (input.instance.fixed_job.parallelism.virtual_stages != input.job.parallelism.virtual_stages) {
    return Change::interleaved;
  }
  return input.instance.fixed_job.batch != input.job.batch ? Change::smaller : Change::more;
}

struct Cited {
  explicit Cited(const ExplainInput& input)
      : scale(input.traced.mean_step_ns),
        change(change_of(input)),
        stages(input.job.parallelism.stages),
        chunks(input.job.parallelism.virtual_stages),
        microbatches(input.job.accumulation),
        fixed_chunks(input.instance.fixed_job.parallelism.virtual_stages),
        fixed_microbatches(input.instance.fixed_job.accumulation),
        waits(pipeline_waits(input.run, input.traced, input.job)),
        last(input.traced.ranks() - 1),
        first_wait(longest_wait(input.run, input.traced, 0, 0)),
        last_wait(longest_wait(input.run, input.traced, last, 0)),
        microbatch_ns(scale.round(waits.microbatch_ns)) {}

  MsScale scale;
  Change change;
  int64_t stages;
  int64_t chunks;
  int64_t microbatches;
  int64_t fixed_chunks;
  int64_t fixed_microbatches;
  PipelineWaits waits;
  size_t last;  // a rank of the last stage
  Wait first_wait;
  Wait last_wait;
  TimeNs microbatch_ns;

  [[nodiscard]] std::string shape() const {
    return count_word(stages) + " stages" + (chunks > 1 ? " of " + count_word(chunks) + " chunks" : "") + ", " +
           count_word(microbatches) + " microbatches";
  }
};

// "(p - 1) / (m + p - 1) = 3 / 7 = 42.9 %"
std::string bubble_sum(int64_t stages, int64_t chunks, int64_t microbatches) {
  const int64_t whole = chunks * microbatches + stages - 1;
  return std::string(chunks > 1 ? "(p - 1) / (v m + p - 1)" : "(p - 1) / (m + p - 1)") + " = " +
         std::to_string(stages - 1) + " / " + std::to_string(whole) + " = " +
         percent_text(share_millionths(stages - 1, whole));
}

EvidenceSpan on_row(char letter, int32_t rank, const Wait& wait, std::string text) {
  return {.letter = letter, .rank = rank, .track = wait.track, .at = wait.at, .text = std::move(text)};
}

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  truth.evidence = {
      on_row('A', traced.rows.front().rank, cited.first_wait, "the first stage waits for a gradient to come back"),
      on_row('B', traced.rows[cited.last].rank, cited.last_wait, "the last stage waits for activations"),
      on_compute_row(traced, 'C', 0, traced.steps.front(), "a stage's compute"),
  };
  for (size_t rank = 0; rank < traced.ranks(); ++rank) {
    for (size_t step = 0; step < traced.steps.size(); ++step) {
      const Interval wait = longest_wait(input.run, traced, rank, step).at;
      if (wait.length_ns() > 0) truth.places.push_back({traced.rows[rank].rank, wait});
    }
  }
}

void add_signature(const Cited& cited, Truth& truth) {
  truth.signature = {
      {"With " + cited.shape() + " a step, fill and drain take " +
           bubble_sum(cited.stages, cited.chunks, cited.microbatches) + " of it. Waiting or idle are " +
           percent_text(cited.waits.waiting_millionths) + ", the messages included.",
       "AB"},
      {"Every stage computes equally long: " + cited.scale.number(cited.waits.least_compute_ns) + " to " +
           cited.scale.text(cited.waits.most_compute_ns) + " a step. None is slow, none has more to do.",
       "C"},
      {"The waits stand where 1F1B puts them: " + cited.scale.text(cited.first_wait.at.length_ns()) +
           " in the middle of the first stage's step, " + cited.scale.text(cited.last_wait.at.length_ns()) +
           " between two steps of the last one.",
       "AB"},
      {"The long SendRecv bars wait and move nothing: the shortest takes " + dur_text(cited.waits.message_ns) +
           ", the longest " + dur_text(cited.waits.longest_message_ns) + ".",
       "AB"},
  };
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "stage_times";
  text.command = "$ nsys stats -r nvtx_gpu_proj_sum rank*.nsys-rep | grep -E 'Forward|Backward'";
  const auto add = [&](const char* stage, size_t rank) {
    text.prints.push_back(std::string(stage) + " stage: Forward and Backward, " + std::to_string(cited.microbatches) +
                          (cited.chunks > 1 ? " x " + std::to_string(cited.chunks) : "") + " of each a step, " +
                          cited.scale.text(input.traced.mean_of(rank, &RankStep::compute_ns)) + " of kernels");
  };
  add("first", 0);
  add("last ", cited.last);
  text.text = "Equal blocks on all stages, p = " + std::to_string(cited.stages) +
              " and m = " + std::to_string(cited.microbatches) + ": the formula gives " +
              percent_text(cited.waits.ideal_millionths) + ". With twice the microbatches the share must nearly halve.";
  return text;
}

FixText fix(const Cited& cited) {
  FixText text;
  text.code_title = "train.py";
  if (cited.change == Change::interleaved) {
    text.id = "interleave_stages";
    text.text = "Interleave: " + count_word(cited.fixed_chunks) +
                " chunks of layers a stage, so that fill and drain go over shorter ones.";
    text.code_before = "schedule = Schedule1F1B(stage, n_microbatches=" + std::to_string(cited.microbatches) + ")";
    text.code_after = "schedule = ScheduleInterleaved1F1B(\n    chunks,  # " + std::to_string(cited.fixed_chunks) +
                      " a rank, every " + std::to_string(cited.stages) +
                      "th part of the model\n    n_microbatches=" + std::to_string(cited.microbatches) + ")";
    return text;
  }
  text.id = "accumulate_gradients";
  text.text = cited.change == Change::smaller
                  ? "The same batch in smaller pieces: " + std::to_string(cited.fixed_microbatches) + " microbatches."
                  : "More microbatches a step: " + std::to_string(cited.fixed_microbatches) +
                        ", so that fill and drain are shared by more work.";
  const std::string schedule = cited.chunks > 1 ? "ScheduleInterleaved1F1B(chunks" : "Schedule1F1B(stage";
  text.code_before = "schedule = " + schedule + ", n_microbatches=" + std::to_string(cited.microbatches) + ")";
  text.code_after = "schedule = " + schedule + ", n_microbatches=" + std::to_string(cited.fixed_microbatches) + ")";
  return text;
}

void add_more_sums(const Cited& cited, Win& win) {
  const TimeNs added_ns = cited.scale.round((cited.fixed_microbatches - cited.microbatches) * cited.microbatch_ns);
  const TimeNs longer_ns = win.step_ns + added_ns;
  const TimeNs fixed_ns = cited.scale.round(longer_ns * cited.microbatches / cited.fixed_microbatches);
  win.reckoned_ns = win.step_ns - fixed_ns;
  win.sums = {
      {"a microbatch on one stage, forward, backward and its messages", cited.scale.text(cited.microbatch_ns)},
      {std::to_string(cited.fixed_microbatches) + " of them: " + cited.scale.number(win.step_ns) + " + " +
           std::to_string(cited.fixed_microbatches - cited.microbatches) + " x " +
           cited.scale.number(cited.microbatch_ns),
       cited.scale.text(longer_ns)},
      {"for the same tokens: x " + std::to_string(cited.microbatches) + " / " +
           std::to_string(cited.fixed_microbatches),
       cited.scale.text(fixed_ns)},
      {"what more microbatches can win", cited.scale.text(win.reckoned_ns), true},
  };
}

// Fill and drain are p - 1 blocks; a block gets shorter by a factor.
void add_shorter_sums(const Cited& cited, Win& win) {
  const bool chunks = cited.change == Change::interleaved;
  const int64_t factor = chunks ? cited.fixed_chunks / cited.chunks : cited.fixed_microbatches / cited.microbatches;
  const TimeNs fill_ns = cited.scale.round((cited.stages - 1) * cited.microbatch_ns / cited.chunks);
  const TimeNs left_ns = cited.scale.round(fill_ns / factor);
  win.reckoned_ns = fill_ns - left_ns;
  win.sums = {
      {"fill and drain: " + std::to_string(cited.stages - 1) + " x " + cited.scale.number(cited.microbatch_ns) +
           (cited.chunks > 1 ? " / " + std::to_string(cited.chunks) : ""),
       cited.scale.text(fill_ns)},
      {std::string(chunks ? "over chunks" : "over microbatches") + " of a " + std::to_string(factor) +
           (factor == 2 ? "nd" : "th") + " of the length",
       "- " + cited.scale.text(left_ns)},
      {"what is left to win", cited.scale.text(win.reckoned_ns), true},
  };
}

Truth explain_bubbles(const ExplainInput& input) {
  const Cited cited(input);
  Truth truth = start_truth(input);
  truth.headline = "Pipeline bubbles: " + cited.shape();
  truth.summary = "Fill and drain of the pipeline idle every stage for " + percent_text(cited.waits.ideal_millionths) +
                  " of the step.";
  add_evidence(input, cited, truth);
  add_signature(cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(cited);
  const auto best = std::ranges::find(truth.right_fixes, truth.fix.id);
  if (best != truth.right_fixes.end()) std::rotate(truth.right_fixes.begin(), best, best + 1);
  truth.lookalikes = {
      {"straggler", "There one rank computes longer than the others and they wait for it. Here all compute " +
                        cited.scale.number(cited.waits.least_compute_ns) + " to " +
                        cited.scale.text(cited.waits.most_compute_ns) + " a step, and wait in turn."},
      {"bandwidth_bound_collective", "There the messages take what their bytes need. Here the same message takes " +
                                         dur_text(cited.waits.message_ns) + " when both sides are ready."}};
  truth.read = {
      step_line(input),
      gaps_line(input),
      {"overlap", "Rank 0 waits in SendRecv with no compute beside it for " +
                      cited.scale.text(input.traced.mean_of(0, &RankStep::exposed_ns)) + " a step; as a whole " +
                      percent_text(cited.waits.waiting_millionths) + " of the ranks' time is waiting or idle."},
      longest_line(input)};
  if (cited.change == Change::more) {
    add_more_sums(cited, truth.win);
  } else {
    add_shorter_sums(cited, truth.win);
  }
  add_measured_win(truth.win);
  truth.number = DecidingNumber{.label = "idle or waiting share",
                                .unit = "% of the step",
                                .value_millionths = 100 * cited.waits.waiting_millionths,
                                .slack_millionths = 1'000'000,
                                .other = OtherWay{.value_note = "measured, mean over the ranks",
                                                  .note = "(p - 1) / (v m + p - 1)",
                                                  .value_millionths = 100 * cited.waits.ideal_millionths}};
  return truth;
}

}  // namespace

Explainer pipeline_bubbles() { return {.cause = "pipeline_bubbles", .explain = explain_bubbles}; }

}  // namespace td::drill::explain
