#include <algorithm>

#include "base/math.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/host_hold.h"
#include "drill/job_code.h"

namespace td::drill::explain {
namespace {

// By step.
std::vector<HostHold> holds_of(const ExplainInput& input, size_t rank) {
  std::vector<HostHold> holds;
  for (const Interval& step : input.traced.steps) {
    holds.push_back(hold_of(input.run.trace.ranks[rank], step, waits_for_batch));
  }
  return holds;
}

// The rank that idles longest for its batches: the others wait for it, if only a little.
size_t most_starved(const ExplainInput& input) {
  size_t most = 0;
  TimeNs most_ns = -1;
  for (size_t rank = 0; rank < input.traced.ranks(); ++rank) {
    TimeNs idle_ns = 0;
    for (const HostHold& hold : holds_of(input, rank)) idle_ns += hold.idle_ns;
    if (idle_ns <= most_ns) continue;
    most_ns = idle_ns;
    most = rank;
  }
  return most;
}

// What the sentences cite: the rank that waits for its batches, its loader, and the waits.
struct Cited {
  explicit Cited(const ExplainInput& input)
      : only(input.traced.ranks() > 1 ? input.instance.faults.front().number("rank", -1) : -1),
        rank(only < 0 ? most_starved(input) : static_cast<size_t>(only)),
        waiting(rank == 0 ? 1 : 0),
        workers(input.instance.faults.front().number("workers", input.instance.job.loader.workers)),
        batch_ns(input.instance.faults.front().number("batch_ns", input.instance.job.loader.batch_ns)),
        slow_worker(input.instance.faults.front().number("slow_worker", -1)),
        slow_batch_ns(input.instance.faults.front().number("slow_batch_ns", 0)),
        scale(input.traced.mean_step_ns) {
    holds = holds_of(input, rank);
    for (size_t step = 0; step < holds.size(); ++step) {
      if (holds[step].idle_ns > holds[worst].idle_ns) worst = step;
    }
    for (const HostHold& hold : holds) hit += hold.idle_ns * 5 > holds[worst].idle_ns ? 1 : 0;
    for (const HostHold& hold : holds) {
      idle_ns += hold.idle_ns;
      call_ns += hold.call_ns;
    }
    idle_ns = scale.round(idle_ns / static_cast<TimeNs>(holds.size()));
    call_ns /= static_cast<TimeNs>(holds.size());
  }

  int64_t only;  // the one starved rank, -1 if all are
  size_t rank;
  size_t waiting;  // another one
  int64_t workers;
  TimeNs batch_ns;
  int64_t slow_worker;   // the one that is, -1 if all are alike
  TimeNs slow_batch_ns;  // of its batches
  MsScale scale;
  size_t worst = 0;             // the step that waits longest
  int64_t hit = 0;              // steps that wait at least a fifth as long
  std::vector<HostHold> holds;  // by step
  TimeNs idle_ns = 0;           // a step: the device idle while the host waits for a batch
  TimeNs call_ns = 0;           // a step: in __next__

  [[nodiscard]] bool one() const { return only >= 0; }
  [[nodiscard]] bool in_turn() const { return slow_worker >= 0; }
  [[nodiscard]] std::string name() const { return "rank " + std::to_string(rank); }
  [[nodiscard]] std::string title() const { return "Rank " + std::to_string(rank); }
  [[nodiscard]] TimeNs period_ns() const { return batch_ns / workers; }
  [[nodiscard]] std::string worker_count() const {
    return count_word(workers) + (workers == 1 ? " worker" : " workers");
  }
};

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const HostHold& hold = cited.holds[cited.worst];
  const Interval dense = {hold.idle.end_ns, traced.at[cited.rank][cited.worst].last_comm_ns};
  truth.evidence = {
      on_compute_row(traced, 'A', cited.rank, hold.idle, "idle: no batch yet on " + cited.name()),
      {.letter = 'B',
       .rank = traced.rows[cited.rank].rank,
       .track = hold.thread,
       .at = hold.call,
       .text = "the main thread waits in __next__ on " + cited.name()},
      on_compute_row(traced, 'C', cited.rank, dense, "the rest of the step is dense"),
  };
  if (cited.one()) {
    const RankStep& other = traced.at[cited.waiting][cited.worst];
    truth.evidence.push_back(on_comm_row(traced, 'D', cited.waiting, {other.first_comm_ns, other.last_comm_ns},
                                         "rank " + std::to_string(cited.waiting) + " waits in its first collective"));
  }
  const int32_t place_rank = cited.one() ? traced.rows[cited.rank].rank : -1;
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    if (cited.holds[step].idle_ns * 5 < hold.idle_ns) continue;  // no wait to speak of
    truth.places.push_back({place_rank, cited.holds[step].idle});
    truth.places.push_back({place_rank, cited.holds[step].call});
    if (!cited.one()) continue;
    for (size_t other = 0; other < traced.ranks(); ++other) {
      const RankStep& waits = traced.at[other][step];
      if (other != cited.rank)
        truth.nearby.push_back({traced.rows[other].rank, {waits.first_comm_ns, waits.last_comm_ns}});
    }
  }
}

// Idle at the start of each step, least to most, over the steps.
std::string waits_text(const Cited& cited) {
  TimeNs least = cited.holds.front().idle_ns;
  TimeNs most = least;
  for (const HostHold& hold : cited.holds) {
    least = std::min(least, hold.idle_ns);
    most = std::max(most, hold.idle_ns);
  }
  return cited.scale.number(cited.scale.round(least)) + " to " + cited.scale.text(cited.scale.round(most));
}

TimeNs hold_ns(const Cited& cited) { return cited.holds[cited.worst].idle_ns; }

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const TimeNs idle = traced.mean_of(cited.rank, &RankStep::idle_ns);
  const TimeNs rest = std::max<TimeNs>(0, idle - cited.idle_ns);
  const auto steps = static_cast<int64_t>(cited.holds.size());
  truth.signature = {
      {cited.in_turn()
           ? "In " + count_word(cited.hit) + " of " + count_word(steps) + " steps, every " +
                 (cited.workers == 2 ? "second" : "third") + " one, the device idles first: " +
                 dur_text(hold_ns(cited)) + " of idle device on " + cited.name() + "."
           : "Each step begins with a gap: " + waits_text(cited) + " of idle device on " + cited.name() + ".",
       "A"},
      {"All that time the main thread is in the loader's __next__; it launches nothing, and the queue is empty.", "B"},
      {"Once the batch is there the device is busy: all the rest of the step holds " + dur_text(rest) + " of idle.",
       "C"}};
  if (cited.one()) {
    truth.signature.push_back({"The other ranks have their batches and wait for this one in NCCL: " +
                                   cited.scale.text(traced.mean_of(cited.waiting, &RankStep::exposed_ns)) +
                                   " a step exposed on rank " + std::to_string(cited.waiting) + ".",
                               "D"});
  }
}

ConfirmText confirm(const ExplainInput& input) {
  ConfirmText text;
  text.id = "cached_batch";
  const JobCode code = code_of(input.job);
  const std::string runs = "20 " + std::string(code.once);
  text.command = "$ " + code.start + " --" + std::string(code.once) + " 20 --cached-batch";
  text.prints = {runs + ", " + dur_text(input.fixed.mean_step_ns) +
                 " a step (with the loader: " + dur_text(input.traced.mean_step_ns) + ")"};
  text.text =
      "One batch used again and again: if the step falls to the GPU's own time, the loader owns the difference. "
      "py-spy dump --pid of a worker then says what a batch is spent on.";
  return text;
}

FixText fix(const ExplainInput& input, const Cited& cited) {
  const sim::LoaderSpec& fixed = input.instance.fixed_job.loader;
  FixText text;
  text.id = "more_workers";
  if (cited.in_turn()) {
    text.text = "One of " + cited.worker_count() + " takes " + dur_text(cited.slow_batch_ns) +
                " for a batch, the others " + dur_text(fixed.batch_ns) +
                ", and batches are handed out in order. Give that worker the others' storage and cores, or let batches "
                "come as they are ready.";
    text.code_title = "data.py";
    text.code_before = "DataLoader(data, batch_size=b, num_workers=" + std::to_string(cited.workers) + ")";
    text.code_after =
        "DataLoader(data, batch_size=b, num_workers=" + std::to_string(cited.workers) + ", in_order=False)";
    return text;
  }
  text.text = "A batch takes a worker " + dur_text(cited.batch_ns) + ", so " + cited.worker_count() +
              (cited.workers == 1 ? " delivers one in " : " deliver one in ") + dur_text(cited.period_ns()) +
              ". With " + std::to_string(fixed.workers) + " it is one in " + dur_text(fixed.period_ns()) +
              ", below the GPU's step, and the wait is gone; cheaper batches do the same.";
  text.code_title = cited.one() ? "ops/rank" + std::to_string(cited.rank) + ".env" : "data.py";
  const std::string before = std::to_string(cited.workers);
  const std::string after = std::to_string(fixed.workers);
  if (cited.one()) {
    text.code_before = "LOADER_WORKERS=" + before + "  # on " + input.traced.rows[cited.rank].host;
    text.code_after = "LOADER_WORKERS=" + after;
  } else {
    text.code_before = "DataLoader(data, batch_size=b, num_workers=" + before + ")";
    text.code_after = "DataLoader(data, batch_size=b, num_workers=" + after +
                      ",\n           persistent_workers=True, pin_memory=True)";
  }
  return text;
}

void add_lookalikes(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const auto steps = static_cast<int64_t>(cited.holds.size());
  if (cited.in_turn()) {
    truth.lookalikes = {{"recompilation",
                         "Here as there only some steps wait. There the launching thread is in compile "
                         "frames, and the step has another shape; here it waits in __next__, and all "
                         "steps have the same shapes."}};
  } else {
    truth.lookalikes = {{"recompilation",
                         "There the launching thread is in compile frames, and only in steps with a new shape. Here it "
                         "waits in __next__, in " +
                             count_word(steps) + " of " + count_word(steps) + " steps, and all have the same shapes."}};
  }
  if (!cited.one()) return;
  const TimeNs compute = input.traced.mean_of(cited.rank, &RankStep::compute_ns);
  truth.lookalikes.push_back(
      {"straggler", "The others do wait for " + cited.name() + ", but its GPU is not slow: it computes " +
                        cited.scale.text(compute) + " a step, rank " + std::to_string(cited.waiting) + " " +
                        cited.scale.text(input.traced.mean_of(cited.waiting, &RankStep::compute_ns)) +
                        ". It is late because its batch is."});
}

// What can be read off the trace first, then the loader's own arithmetic beside it.
void add_sums(const Cited& cited, Win& win) {
  const TimeNs gpu_ns = win.step_ns - cited.idle_ns;
  win.reckoned_ns = cited.idle_ns;
  win.sums = {
      {"step as traced", cited.scale.text(win.step_ns)},
      {"device idle while the host waits for a batch, " + cited.name(), "- " + cited.scale.text(cited.idle_ns)},
      {"the GPU's own step, which a loader that keeps up leaves", cited.scale.text(gpu_ns), true},
  };
  if (cited.in_turn()) {
    win.sums.push_back({"the slow worker's batch: " + dur_text(cited.slow_batch_ns) + ", asked for once in " +
                            std::to_string(cited.workers) + " steps: less " + std::to_string(cited.workers) + " x " +
                            cited.scale.text(gpu_ns),
                        cited.scale.text(cited.scale.round(cited.slow_batch_ns - cited.workers * gpu_ns))});
  } else {
    win.sums.push_back({"the loader's period: " + dur_text(cited.batch_ns) + " a batch / " + cited.worker_count(),
                        cited.scale.text(cited.scale.round(cited.period_ns()))});
    win.sums.push_back(
        {"step = the longer of the two", cited.scale.text(cited.scale.round(std::max(gpu_ns, cited.period_ns())))});
  }
  add_measured_win(win);
}

Truth explain_input_starvation(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  const std::string who = cited.one() ? cited.name() : "all ranks";
  Truth truth = start_truth(input);
  truth.headline = "Input starvation: " + who;
  truth.summary = cited.in_turn()
                      ? "One of " + cited.worker_count() + " takes " + dur_text(cited.slow_batch_ns) +
                            " for its batches, and every " + (cited.workers == 2 ? "second" : "third") +
                            " step waits for it" + (cited.one() ? "; the other ranks wait too." : ".")
                      : "A batch comes every " + dur_text(cited.period_ns()) + ", the GPU needs one every " +
                            dur_text(input.fixed.mean_step_ns) + "; it idles " + cited.scale.text(cited.idle_ns) +
                            " of each " + cited.scale.text(truth.win.step_ns) + " step" +
                            (cited.one() ? ", and the other ranks wait for it." : ".");
  add_evidence(input, cited, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input);
  truth.fix = fix(input, cited);
  add_lookalikes(input, cited, truth);
  truth.read = {step_line(input),
                {"gaps",
                 cited.title() + " idles " + cited.scale.text(traced.mean_of(cited.rank, &RankStep::idle_ns)) +
                     " a step, " + cited.scale.text(cited.idle_ns) + " of it with the main thread in __next__.",
                 cited.rank},
                {"overlap",
                 "NCCL is busy " + cited.scale.text(traced.mean_of(cited.rank, &RankStep::comm_ns)) + " a step on " +
                     cited.name() + ", " + cited.scale.text(traced.mean_of(cited.rank, &RankStep::exposed_ns)) +
                     " of it exposed: not the lever.",
                 cited.rank},
                longest_line(input)};
  add_sums(cited, truth.win);
  // Read off the host's row it is the call, off the device's row the gap.
  const TimeNs apart_ns = cited.call_ns > cited.idle_ns ? cited.call_ns - cited.idle_ns : 0;
  truth.number = DecidingNumber{.label = "wait for the next batch",
                                .unit = "ms a step",
                                .value_millionths = ms_millionths(cited.idle_ns),
                                .slack_millionths = ms_millionths(apart_ns)};
  return truth;
}

}  // namespace

Explainer input_starvation() { return {.cause = "input_starvation", .explain = explain_input_starvation}; }

}  // namespace td::drill::explain
