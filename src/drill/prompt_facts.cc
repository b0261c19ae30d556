#include "drill/prompt_facts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/host.h"
#include "base/random.h"
#include "drill/draw.h"
#include "drill/job_words.h"
#include "drill/text.h"
#include "sim/job/predict.h"

namespace td::drill {
namespace {

using analysis::HostClass;
using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;

constexpr int64_t kMillion = 1'000'000;
constexpr int64_t kMsPerHour = 3'600'000;
constexpr int64_t kHoursPerDay = 24;

// Drawn figures.
constexpr int64_t kLeastDays = 5;
constexpr int64_t kMostDays = 40;
constexpr int64_t kLeastOverPercent = 6;
constexpr int64_t kMostOverPercent = 45;
// Of the comparison with other hardware: drawn, and how close a GPU of the catalogue must come to it.
constexpr int64_t kLeastLessPercent = 8;
constexpr int64_t kMostLessPercent = 45;
constexpr int64_t kNearPercent = 8;
constexpr int64_t kMostPredictions = 4;

Figure figure(Quantity quantity, int64_t value_millionths, std::string text) {
  return {quantity, std::move(text), value_millionths};
}

Figure counted(Quantity quantity, int64_t value) { return figure(quantity, value * kMillion, grouped_text(value)); }

// Two digits and a word: "2.3 million", "410 thousand".
std::string rounded_count(int64_t value) {
  if (value >= 10 * kMillion) return decimal_text(value, kMillion, 0) + " million";
  if (value >= kMillion) return decimal_text(value, kMillion, 1) + " million";
  return grouped_text((value + 500) / 1000 * 1000);
}

// Three digits for a kernel's time: "306 us", "2.41 ms".
std::string short_dur(TimeNs dur_ns) {
  if (dur_ns >= 10 * kNsPerMs) return dur_text(dur_ns);
  return dur_ns >= kNsPerMs ? decimal_text(dur_ns, kNsPerMs, 2) + " ms" : decimal_text(dur_ns, kNsPerUs, 0) + " us";
}

std::string dollars(int64_t cents) { return "$" + decimal_text(cents, 100, cents >= 10'000 ? 0 : 2); }

Figure priced(Quantity quantity, int64_t cents) {
  std::string text = cents >= 100'000 ? "$" + grouped_text((cents + 50) / 100) : dollars(cents);
  return figure(quantity, cents * (kMillion / 100), std::move(text));
}

Interval common(const RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

// What a rank's host did while its device stood idle, in one pass over the slices.
struct HostWaits {
  IntervalSet idle;
  IntervalSet loader;
  IntervalSet allocator;
  IntervalSet compile;
  IntervalSet sync;
};

constexpr size_t kHostClasses = static_cast<size_t>(HostClass::gc) + 1;

HostWaits host_waits(const RankTrace& rank, Interval window) {
  std::vector<Interval> work;
  std::array<std::vector<Interval>, kHostClasses> by_class;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const Interval at = common(rank, slice);
    if (at.end_ns <= window.begin_ns || at.begin_ns >= window.end_ns) continue;
    if (trace::is_gpu_work(rank.kind[slice])) {
      work.push_back(at);
      continue;
    }
    const HostClass what = analysis::class_of_host(rank.kind[slice], rank.name_of(slice));
    if (what != HostClass::none && what != HostClass::dispatch) by_class[static_cast<size_t>(what)].push_back(at);
  }
  const auto of = [&](HostClass what) { return unite(std::move(by_class[static_cast<size_t>(what)])); };
  HostWaits out;
  out.idle = subtract(IntervalSet{window}, unite(std::move(work)));
  out.loader = of(HostClass::loader);
  out.allocator = of(HostClass::allocator);
  out.compile = of(HostClass::compile);
  out.sync = of(HostClass::sync);
  return out;
}

void add_waits(const SimulatedInstance& instance, PromptFacts& facts) {
  const Measured& traced = instance.traced_measure;
  const Interval window = {traced.steps.front().begin_ns, traced.steps.back().end_ns};
  const auto steps = static_cast<TimeNs>(traced.steps.size());
  for (const RankTrace& rank : instance.run.trace.ranks) {
    const HostWaits waits = host_waits(rank, window);
    const auto per_step = [&](const IntervalSet& set) { return total_ns(intersect(waits.idle, set)) / steps; };
    facts.loader_idle_ns = std::max(facts.loader_idle_ns, per_step(waits.loader));
    facts.allocator_idle_ns = std::max(facts.allocator_idle_ns, per_step(waits.allocator));
    facts.compile_idle_ns = std::max(facts.compile_idle_ns, per_step(waits.compile));
    if (&rank != instance.run.trace.ranks.data()) continue;
    facts.sync_ns = total_ns(clip(waits.sync, window)) / steps;
    facts.sync_idle_ns = per_step(waits.sync);
  }
}

// All kernels of the longest one's name, a step, on the first rank.
TimeNs family_ns(const SimulatedInstance& instance) {
  const Measured& traced = instance.traced_measure;
  const RankTrace& rank = instance.run.trace.ranks.front();
  TimeNs sum = 0;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != SliceKind::compute || rank.name_of(slice) != traced.longest_kernel) continue;
    const Interval at = common(rank, slice);
    if (at.begin_ns >= traced.steps.front().begin_ns && at.end_ns <= traced.steps.back().end_ns) sum += at.length_ns();
  }
  return sum / static_cast<TimeNs>(traced.steps.size());
}

void add_refutations(const SimulatedInstance& instance, PromptFacts& facts) {
  const Measured& traced = instance.traced_measure;
  facts.mean_step_ns = traced.mean_step_ns;
  facts.run_ahead_ns = traced.median_run_ahead_ns;
  facts.longest_kernel_ns = traced.longest_kernel_ns;
  facts.longest_family_ns = family_ns(instance);
  facts.compiled = is_compiled(instance.job);
  add_waits(instance, facts);
  // Ranks of one group alone do the same at the same time, and reduce the same buckets.
  if (instance.job.parallelism.kind != sim::Parallelism::Kind::ddp) return;
  facts.spread_ns = traced.after_first_ns(traced.last_rank());
  facts.transfer_ns = traced.transfer_per_step_ns();
  for (const int64_t bytes : traced.collective_bytes) {
    facts.expected_transfer_ns +=
        hardware::transfer_ns(hardware::Collective::all_reduce, bytes, instance.job.fabric, *instance.job.gpu);
  }
}

void add_drawn(uint64_t seed, PromptFacts& facts) {
  RandomStream stream(seed, "drill.framing.figures");
  const int64_t step_ns = facts.mean_step_ns;
  const int64_t days = stream.uniform_int(kLeastDays, kMostDays);
  facts.run_days = counted(Quantity::run_days, days);
  const auto steps = static_cast<int64_t>(static_cast<__int128>(days) * kHoursPerDay * kMsPerHour * kNsPerMs / step_ns);
  facts.run_steps = figure(Quantity::run_steps, steps * kMillion, rounded_count(steps));
  const int64_t over = stream.uniform_int(kLeastOverPercent, kMostOverPercent);
  const TimeNs plan_ns = step_ns * 100 / (100 + over);
  facts.plan_over_percent = figure(Quantity::plan_over_percent, over * kMillion, std::to_string(over) + " %");
  facts.plan_step_ms = figure(Quantity::plan_step_ms, plan_ns, dur_text(plan_ns));
}

void add_price(const sim::Job& job, PromptFacts& facts) {
  const int64_t cents = gpu_cents_per_hour(job.gpu->id);
  if (cents == 0) return;
  const int64_t days = facts.run_days.value_millionths / kMillion;
  facts.price = PromptFacts::Price{priced(Quantity::gpu_price, cents), priced(Quantity::job_price, cents * facts.gpus),
                                   priced(Quantity::run_price, cents * facts.gpus * kHoursPerDay * days)};
}

void add_comparison(const SimulatedInstance& instance, uint64_t seed, PromptFacts& facts) {
  RandomStream stream(seed, "drill.framing.comparison");
  const int64_t wanted = stream.uniform_int(kLeastLessPercent, kMostLessPercent);
  int64_t best_apart = kNearPercent + 1;
  facts.other.reset();
  // A few, from a drawn one on: each prediction takes milliseconds.
  const auto gpus = hardware::all_gpus();
  const int64_t first = stream.uniform_int(0, std::ssize(gpus) - 1);
  for (int64_t i = 0; i < std::min<int64_t>(kMostPredictions, std::ssize(gpus)); ++i) {
    const hardware::Gpu& gpu = gpus[static_cast<size_t>((first + i) % std::ssize(gpus))];
    sim::Job job = instance.job;
    if (gpu.id == job.gpu->id) continue;
    job.gpu = &gpu;
    const auto outlook = sim::predict(job);
    if (!outlook || outlook->step_ns >= facts.mean_step_ns) continue;
    const int64_t less = share_millionths(facts.mean_step_ns - outlook->step_ns, facts.mean_step_ns);
    const int64_t percent = (less + 5'000) / 10'000;
    const int64_t apart = percent > wanted ? percent - wanted : wanted - percent;
    if (apart >= best_apart || percent < 5) continue;
    best_apart = apart;
    facts.other = OtherMachine{hardware_text(job), std::string(gpu.id),
                               figure(Quantity::other_percent, less * 100, std::to_string(percent) + " %")};
  }
}

}  // namespace

int64_t gpu_cents_per_hour(std::string_view gpu) {
  struct Entry {
    std::string_view gpu;
    int64_t cents;
  };
  static constexpr std::array kEntries = {Entry{"h100_sxm", 300},  Entry{"h200", 380},      Entry{"b200", 500},
                                          Entry{"a100_80gb", 180}, Entry{"a100_40gb", 130}, Entry{"l40s", 100},
                                          Entry{"l4", 70},         Entry{"t4", 35},         Entry{"a10", 75},
                                          Entry{"mi300x", 220},    Entry{"rtx_4090", 60}};
  for (const Entry& entry : kEntries) {
    if (entry.gpu == gpu) return entry.cents;
  }
  return 0;
}

PromptFacts prompt_facts(const SimulatedInstance& instance, uint64_t seed) {
  const sim::Job& job = instance.job;
  PromptFacts facts;
  facts.gpus = job.fabric.world_size();
  facts.hardware = hardware_text(job);
  if (facts.gpus > 1) facts.fabric = hardware::describe(job.fabric);
  facts.machine = facts.hardware + (facts.fabric.empty() ? "" : ", " + facts.fabric);
  const JobWords words = words_of(job);
  facts.job = words.job;
  facts.ends = words.ends;
  facts.step = words.step;
  add_refutations(instance, facts);
  facts.step_ms = figure(Quantity::step_ms, facts.mean_step_ns, dur_text(facts.mean_step_ns));
  facts.steps_per_hour = counted(Quantity::steps_per_hour, kMsPerHour * kNsPerMs / facts.mean_step_ns);
  facts.kernels = counted(Quantity::kernels, instance.traced_measure.launches.front().front().kernels);
  facts.longest_us = figure(Quantity::longest_us, facts.longest_kernel_ns * 1000, short_dur(facts.longest_kernel_ns));
  const int64_t of_memory = share_millionths(sim::memory_needed_bytes(job), job.gpu->memory_bytes);
  facts.memory_percent = figure(Quantity::memory_percent, of_memory * 100, decimal_text(of_memory, 10'000, 0) + " %");
  add_drawn(seed, facts);
  add_price(job, facts);
  add_comparison(instance, seed, facts);
  return facts;
}

}  // namespace td::drill
