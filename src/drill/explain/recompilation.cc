#include <algorithm>

#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/host_hold.h"
#include "drill/job_code.h"

namespace td::drill::explain {
namespace {

// The compile that a stretch of idle stands under, as a whole: it may have begun in an earlier step, and one of the
// warm-up may be longer.
Interval call_over(const trace::RankTrace& rank, Interval idle) {
  Interval call;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (!trace::is_host(rank.kind[slice]) || !compiles(rank.kind[slice], rank.name_of(slice))) continue;
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    const Interval at = {begin_ns, begin_ns + rank.dur_ns[slice]};
    if (at.begin_ns < idle.end_ns && at.end_ns > idle.begin_ns && at.length_ns() > call.length_ns()) call = at;
  }
  return call;
}

// What the sentences cite: the rank whose compiler the others wait for longest, the shown step, and how long.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : only(input.traced.ranks() > 1 ? input.instance.faults.front().number("rank", -1) : -1),
        scale(input.traced.mean_step_ns) {
    each_step = input.instance.faults.front().fault == "guard_miss";
    TimeNs most_ns = 0;
    for (size_t r = 0; r < input.traced.ranks(); ++r) {
      TimeNs sum_ns = 0;
      for (size_t s = 0; s < input.traced.steps.size(); ++s) {
        const HostHold found = hold_of(input.run.trace.ranks[r], input.traced.steps[s], compiles);
        sum_ns += found.idle_ns;
        most_ns = std::max(most_ns, sum_ns);
        if (found.idle_ns <= hold.idle_ns) continue;
        hold = found;
        rank = r;
        step = s;
      }
    }
    call = call_over(input.run.trace.ranks[rank], hold.idle);
    waiting = rank == 0 ? 1 : 0;
    idle_ns = scale.round(each_step ? most_ns : hold.idle_ns);
  }

  int64_t only;  // the one rank that compiles, -1 if all do
  MsScale scale;
  HostHold hold;
  Interval call;  // the compile as a whole
  size_t rank = 0;
  size_t step = 0;
  size_t waiting = 0;
  TimeNs idle_ns = 0;      // under compile frames, over the steps
  bool each_step = false;  // the guard fails in every step

  [[nodiscard]] bool one() const { return only >= 0; }
  [[nodiscard]] std::string name() const { return "rank " + std::to_string(rank); }
};

// The mean of the shown steps without the one that compiles.
TimeNs other_steps_ns(const ExplainInput& input, const Cited& cited) {
  TimeNs sum = 0;
  for (size_t s = 0; s < input.traced.steps.size(); ++s) {
    if (s != cited.step) sum += input.traced.steps[s].length_ns();
  }
  return sum / static_cast<TimeNs>(std::max<size_t>(1, input.traced.steps.size() - 1));
}

std::string shape_text(int32_t batch, int32_t seq_len) {
  return "[" + std::to_string(batch) + ", " + std::to_string(seq_len) + "]";
}

// Every step's compile is one.
void add_places(const ExplainInput& input, const Cited& cited, Truth& truth) {
  for (const Interval& step : input.traced.steps) {
    const HostHold hold = hold_of(input.run.trace.ranks[cited.rank], step, compiles);
    const int32_t rank = cited.one() ? input.traced.rows[cited.rank].rank : -1;
    if (hold.idle_ns <= 0) continue;
    truth.places.push_back({rank, hold.idle});
    truth.places.push_back({rank, hold.call});
  }
}

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const Interval after = {cited.hold.idle.end_ns, traced.at[cited.rank][cited.step].last_comm_ns};
  truth.evidence = {
      on_compute_row(traced, 'A', cited.rank, cited.hold.idle, "idle while the host compiles, on " + cited.name()),
      {.letter = 'B',
       .rank = traced.rows[cited.rank].rank,
       .track = cited.hold.thread,
       .at = {std::max(cited.call.begin_ns, traced.steps.front().begin_ns), cited.call.end_ns},
       .text = "compile frames on the main thread of " + cited.name()},
      on_compute_row(traced, 'C', cited.rank, after,
                     cited.each_step ? "the step itself, as all others" : "the step itself, with other shapes")};
  const int32_t place_rank = cited.one() ? traced.rows[cited.rank].rank : -1;
  truth.places = {{place_rank, cited.hold.idle}, {place_rank, cited.call}};
  if (cited.each_step) add_places(input, cited, truth);
  if (!cited.one()) return;
  const RankStep& waits = traced.at[cited.waiting][cited.step];
  truth.evidence.push_back(on_comm_row(traced, 'D', cited.waiting, {waits.first_comm_ns, waits.last_comm_ns},
                                       "rank " + std::to_string(cited.waiting) + " waits in its first collective"));
  for (size_t other = 0; other < traced.ranks(); ++other) {
    const RankStep& at = traced.at[other][cited.step];
    if (other != cited.rank) truth.nearby.push_back({traced.rows[other].rank, {at.first_comm_ns, at.last_comm_ns}});
  }
}

std::vector<Sentence> shape_signature(const ExplainInput& input, const Cited& cited) {
  const auto steps = static_cast<int64_t>(input.traced.steps.size());
  const sim::Job& job = input.job;
  return {{"One of " + count_word(steps) + " steps takes " + dur_text(input.traced.steps[cited.step].length_ns()) +
               ", the others " + dur_text(other_steps_ns(input, cited)) + ": the device idles " +
               dur_text(cited.hold.idle_ns) + " in it.",
           "A"},
          {"The main thread is in _compile.compile_inner for " + dur_text(cited.call.length_ns()) +
               ", tracing, generating code and waiting for Triton; it launches nothing.",
           "B"},
          {"That step's batch is " + shape_text(2 * job.batch, job.seq_len / 2) + ", that of the others " +
               shape_text(job.batch, job.seq_len) +
               ": a guard on the shape has failed, and Torch-Compiled Region 0/1 is new.",
           "C"}};
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const auto steps = static_cast<int64_t>(input.traced.steps.size());
  if (cited.each_step) {
    truth.signature = {
        {"Each of " + count_word(steps) + " steps has a gap of up to " + dur_text(cited.hold.idle_ns) +
             " early in forward.",
         "A"},
        {"In each the main thread is in _compile.compile_inner, for up to " + dur_text(cited.call.length_ns()) +
             "; the batch had come before. It launches nothing.",
         "B"},
        {"All steps have the same shapes: the guard that fails is on a value that changes with every step.", "C"}};
  } else {
    truth.signature = shape_signature(input, cited);
  }
  if (cited.one()) {
    truth.signature.push_back({"Only " + cited.name() + " compiles; rank " + std::to_string(cited.waiting) +
                                   " stands " + dur_text(input.traced.at[cited.waiting][cited.step].exposed_ns) +
                                   " in NCCL in that step.",
                               "D"});
  }
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "recompile_log";
  const JobCode code = code_of(input.job);
  text.command = "$ TORCH_LOGS=recompiles,guards " + code.start;
  text.text = "It names the guard that failed, " + std::string(cited.one() ? "on " + cited.name() : "on every rank") +
              "; each further shape would do the same, up to the recompile limit.";
  if (cited.each_step) {
    text.prints = {"Recompiling function forward in model.py", "  triggered by: L['self'].scale == 0.9983"};
    text.text = "It names the guard that failed, a Python number, " +
                std::string(cited.one() ? "on " + cited.name() : "on every rank") + ", once a step.";
    return text;
  }
  text.prints = {"Recompiling function forward in model.py",
                 "  triggered by: tensor '" + std::string(code.inputs) + "' size mismatch at index 0. expected " +
                     std::to_string(input.job.batch) + ", actual " + std::to_string(2 * input.job.batch)};
  return text;
}

// torch.compile and the job's own wrapping, in the order in which they are written.
std::string compiled_model(const sim::Job& job) {
  const std::string model = code_of(job).model;
  if (job.parallelism.kind == sim::Parallelism::Kind::ddp) return "model = torch.compile(DDP(model))";
  if (job.parallelism.kind == sim::Parallelism::Kind::pipeline) return "part = torch.compile(part)\n" + model;
  return model + (model.empty() ? "" : "\n") + "model = torch.compile(model)";
}

FixText fix(const ExplainInput& input, const Cited& cited) {
  FixText text;
  text.id = "stable_shapes";
  if (cited.each_step) {
    text.text =
        "Pass the number as a tensor, or mark it dynamic: the guard is then on its kind and no longer on its value, "
        "and "
        "one graph serves all steps.";
    text.code_title = "model.py";
    text.code_before = "self.scale = schedule(step)  # a Python float";
    text.code_after = "self.scale.fill_(schedule(step))  # a tensor, made once";
    return text;
  }
  text.text =
      "Mark both dimensions dynamic, so that one graph serves all shapes; or pad batches to few shapes and compile "
      "each "
      "in warm-up. The batch stays as it is, and no step compiles.";
  const JobCode code = code_of(input.job);
  const std::string inputs(code.inputs);
  text.code_title = code.file;
  text.code_before = compiled_model(input.job) + "\nout = model(" + inputs + ")";
  text.code_after = compiled_model(input.job) + "\ntorch._dynamo.mark_dynamic(" + inputs +
                    ", 0)\ntorch._dynamo.mark_dynamic(" + inputs + ", 1)\nout = model(" + inputs + ")";
  return text;
}

void add_sums(const ExplainInput& input, const Cited& cited, Win& win) {
  const auto steps = static_cast<int64_t>(input.traced.steps.size());
  const TimeNs each_ns = cited.scale.round(cited.idle_ns / steps);
  win.reckoned_ns = each_ns;
  win.sums = {{"device idle while the host compiles, " + cited.name(), cited.scale.text(cited.idle_ns)},
              {"over the " + count_word(steps) + " steps shown", cited.scale.text(each_ns), true}};
  add_measured_win(win);
}

std::vector<Lookalike> shape_lookalikes(const ExplainInput& input, const Cited& cited) {
  const Measured& traced = input.traced;
  return {{"input_starvation", "There every step waits, in __next__. Here one step of " +
                                   count_word(static_cast<int64_t>(traced.steps.size())) +
                                   " does, in compile frames, and its batch was there before."},
          {"straggler", "There one rank is late in every step. Here the other steps take " +
                            dur_text(other_steps_ns(input, cited)) + " on all ranks."}};
}

std::vector<Lookalike> each_step_lookalikes(const Cited& cited) {
  return {{"input_starvation",
           "Every step waits in both. There the thread is in the loader's __next__, here it has its batch "
           "and is in compile frames for " +
               dur_text(cited.call.length_ns()) + "."},
          {"sync_stalls",
           "There a copy to the host and a synchronize stand before each gap. Here there are compile frames."}};
}

Truth explain_recompilation(const ExplainInput& input) {
  const Cited cited(input);
  Truth truth = start_truth(input);
  truth.headline = "Recompilation: " + (cited.one() ? cited.name() : std::string("all ranks"));
  truth.summary =
      (cited.each_step ? "A guard on a value fails in every step, and the region is made anew for "
                       : "A batch of another shape fails a guard, and the compiler runs inside the step for ") +
      dur_text(cited.call.length_ns()) + (cited.one() ? "; the other ranks wait." : ", on every rank.");
  add_evidence(input, cited, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(input, cited);
  truth.lookalikes = cited.each_step ? each_step_lookalikes(cited) : shape_lookalikes(input, cited);
  truth.read = {step_line(input),
                {"gaps",
                 "The longest idle stretch, " + dur_text(cited.hold.idle.length_ns()) + " on " + cited.name() +
                     ", is owned by compile frames" +
                     (cited.each_step ? ", as in every step." : "; in the other steps there is none like it."),
                 cited.rank, cited.step},
                {"overlap",
                 "NCCL hides under backward; what is exposed in the long step is waiting for " +
                     (cited.one() ? cited.name() : std::string("the last rank to have compiled")) + ".",
                 cited.waiting, cited.step},
                longest_line(input)};
  add_sums(input, cited, truth.win);
  const TimeNs apart_ns = cited.call.length_ns() > cited.hold.idle_ns ? cited.call.length_ns() - cited.hold.idle_ns : 0;
  truth.number = DecidingNumber{.label = "longest compile",
                                .unit = "s",
                                .value_millionths = cited.call.length_ns() / 1000,
                                .slack_millionths = apart_ns / 1000};
  return truth;
}

}  // namespace

Explainer recompilation() { return {.cause = "recompilation", .explain = explain_recompilation}; }

}  // namespace td::drill::explain
