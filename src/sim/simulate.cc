#include "sim/simulate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/math.h"
#include "base/random.h"
#include "sim/engine/engine.h"
#include "sim/job/background.h"
#include "sim/job/compiled.h"
#include "sim/job/dialect.h"
#include "sim/job/kernel_names.h"
#include "sim/job/training.h"

namespace td::sim {
namespace {

// Kineto's anchor: whole multiples of a quarter of a mean year (7,889,238 s), k = 223 to 226.
constexpr int64_t kQuarterSeconds = 7'889'238;

// A waiting collective holds its SMs but moves nothing: half of what a transfer costs the compute beside it. Our
// estimate.
constexpr double kWaitingShare = 0.5;

constexpr double kCompileSigma = 0.02;

// What one run draws once for all ranks.
struct Run {
  Software software;
  double compute_rate = 1;
  double comm_rate = 1;
  int32_t first_step = 0;
  int64_t comm_stream_id = 20;
  TimeNs base_time_ns = 0;
  TimeNs origin_ns = 0;  // engine time 0 in the files' timestamps
  std::string host_stem;
  int64_t first_node = 0;
};

Run draw_run(uint64_t seed) {
  Run run;
  RandomStream software(seed, "software");
  run.software.nvjet = software.chance_permille(600);
  run.software.std_array = software.chance_permille(700);
  RandomStream contention(seed, "contention");
  run.compute_rate = static_cast<double>(contention.uniform_int(820, 920)) / 1000.0;
  run.comm_rate = static_cast<double>(contention.uniform_int(860, 950)) / 1000.0;
  RandomStream place(seed, "place");
  run.first_step = static_cast<int32_t>(place.uniform_int(5, 60));
  constexpr std::array<int64_t, 6> kCommStreams = {16, 20, 23, 27, 31, 40};
  run.comm_stream_id = kCommStreams[static_cast<size_t>(place.uniform_int(0, 5))];
  const int64_t quarter = place.uniform_int(223, 226);
  run.base_time_ns = quarter * kQuarterSeconds * kNsPerS;
  run.origin_ns = place.uniform_int(86'400, kQuarterSeconds - 86'400) * kNsPerS + place.uniform_int(0, kNsPerS - 1);
  constexpr std::array<std::string_view, 4> kStems = {"gpu-node-", "worker-", "ml-train-", "dgx-"};
  run.host_stem = kStems[static_cast<size_t>(place.uniform_int(0, 3))];
  run.first_node = place.uniform_int(1, 80);
  return run;
}

// Launch call's start to the kernel's start on an idle stream, median. Read in public traces of each part (H100 6.4,
// B200 10.2 and A100 11.6 us, the last two with heavier profiling).
TimeNs launch_latency_ns(const hardware::Gpu& gpu) {
  switch (gpu.generation) {
    case hardware::Generation::hopper:
      return 6'400;
    case hardware::Generation::blackwell:
      return 8'000;
    case hardware::Generation::ada:
      return 7'500;
    case hardware::Generation::cdna2:
    case hardware::Generation::cdna3:
      return 17'500;
    default:
      return 9'500;
  }
}

RankSpeed speed_of(const RankResources& resources, uint64_t seed, int rank) {
  // No two boards are alike: a few permille of clock, a few percent of host. Cores that are held below the clock that
  // they could reach differ less: what is left is memory and interrupts.
  RandomStream spread(seed, "rank_spread", rank);
  const double clock = 1.0 + std::clamp(0.0022 * spread.normal(), -0.006, 0.006);
  const double host = spread.lognormal(resources.host_speed_permille < 1000 ? 0.008 : 0.04);
  return {.sm_clock = static_cast<double>(resources.sm_clock_permille) / 1000.0 * clock,
          .hbm = static_cast<double>(resources.hbm_permille) / 1000.0,
          .host = static_cast<double>(resources.host_speed_permille) / 1000.0 * host};
}

struct RankBuild {
  trace::RankTraceBuilder builder;
  RankTracks tracks;
  std::optional<trace::TrackId> watchdog;  // NCCL's thread, where there is NCCL
};

// What the trace says of the job as a whole: nothing where there is no process group.
void describe_groups(const Deployment& deployment, int32_t rank, trace::RankTrace& header) {
  if (deployment.groups.empty()) return;
  header.world_size = static_cast<int32_t>(deployment.ranks.size());
  header.backend = "nccl";
  for (const ProcessGroup& group : deployment.groups) {
    if (std::ranges::find(group.ranks, rank) == group.ranks.end()) continue;
    header.groups.push_back({.name = group.name, .description = group.description, .ranks = group.ranks});
  }
}

RankBuild start_rank(const Job& job, const Deployment& deployment, const Run& run, uint64_t seed, int32_t rank) {
  const Program& program =
      deployment.programs[static_cast<size_t>(deployment.ranks[static_cast<size_t>(rank)].program)];
  RankBuild out;
  RandomStream draws(seed, "process", rank);
  const int32_t device = rank % job.fabric.gpus_per_node;
  const int32_t node = rank / job.fabric.gpus_per_node;
  const int64_t pid = draws.uniform_int(2'000, 900'000);
  const int64_t autograd = pid + draws.uniform_int(300, 900);
  const int64_t watchdog = pid + draws.uniform_int(40, 200);

  trace::RankTrace& header = out.builder.header();
  header.strings = program.strings;
  header.rank = rank;
  header.host_name = run.host_stem + std::to_string(run.first_node + node);
  header.device_name = job.gpu->device_name;
  header.device_memory_bytes = job.gpu->memory_bytes;
  header.sm_count = job.gpu->sm_count;
  describe_groups(deployment, rank, header);
  header.base_time_ns = run.base_time_ns;
  const TimeNs skew_ns = job.clock_skew_ns > 0 ? draws.uniform_int(-job.clock_skew_ns, job.clock_skew_ns) : 0;
  header.file_origin_ns = run.origin_ns + skew_ns;

  const trace::StringId process = out.builder.intern("python3");
  const auto host_track = [&](int64_t tid, std::string_view name, int32_t sort_index) {
    const std::string text = "thread " + std::to_string(tid) + " (" + std::string(name) + ")";
    return out.builder.add_track({.kind = trace::TrackKind::host_thread,
                                  .pid = pid,
                                  .tid = tid,
                                  .process_name = process,
                                  .name = out.builder.intern(text),
                                  .sort_index = sort_index});
  };
  const auto stream_track = [&](int64_t stream) {
    return out.builder.add_track({.kind = trace::TrackKind::stream,
                                  .pid = device,
                                  .tid = stream,
                                  .process_name = process,
                                  .name = out.builder.intern("stream " + std::to_string(stream)),
                                  .device = device,
                                  .sort_index = static_cast<int32_t>(stream)});
  };
  out.tracks.threads[kMainThread] = host_track(pid, "pt_main_thread", 0);
  out.tracks.threads[kAutogradThread] = host_track(autograd, "pt_autograd_0", 1);
  if (!deployment.groups.empty()) out.watchdog = host_track(watchdog, "pt_nccl_watchdg", 2);
  // Each communicator's stream is made with it, among others that the libraries make.
  constexpr int64_t kStreamsApart = 4;
  for (int32_t stream = 0; stream < program.stream_count; ++stream) {
    out.tracks.streams.push_back(stream_track(stream == kComputeStream
                                                  ? (hardware::is_amd(*job.gpu) ? 0 : 7)
                                                  : run.comm_stream_id + (stream - kCommStream) * kStreamsApart));
  }
  return out;
}

// NCCL's watchdog looks at the outstanding work ten times a second: harmless, and in every trace.
void add_watchdog(RankBuild& rank, const hardware::Gpu& gpu, TimeNs begin_ns, TimeNs end_ns, uint64_t seed,
                  int32_t number) {
  constexpr TimeNs kPeriodNs = 100 * kNsPerMs;
  if (!rank.watchdog) return;
  const trace::TrackId track = *rank.watchdog;
  RandomStream draws(seed, "watchdog", number);
  const trace::StringId name = rank.builder.intern(in_dialect("cudaEventQuery", gpu));
  int64_t correlation = 3'000'000;  // above what the other threads use
  for (TimeNs at_ns = begin_ns + draws.uniform_int(0, kPeriodNs); at_ns < end_ns;
       at_ns += kPeriodNs + draws.uniform_int(20'000, 400'000)) {
    TimeNs call_ns = at_ns;
    const int64_t calls = draws.uniform_int(1, 4);
    for (int64_t i = 0; i < calls && call_ns < end_ns; ++i) {
      const TimeNs dur_ns = draws.uniform_int(700, 2'800);
      rank.builder.add_slice(track, trace::SliceKind::runtime, name, call_ns, dur_ns, correlation++);
      call_ns += dur_ns + draws.uniform_int(2'000, 9'000);
    }
  }
}

// Early in forward, where the region is entered.
constexpr int32_t kGuardPermille = 60;

// The programs of ranks with batches of their own.
void deploy_batches(const Machine& machine, const Job& job, const Software& software, Deployment& deployment) {
  for (size_t rank = 0; rank < machine.ranks.size(); ++rank) {
    if (machine.ranks[rank].batch <= 0) continue;
    Job own = job;
    own.batch = machine.ranks[rank].batch;
    Deployment heavy = training_deployment(own, software);
    deployment.programs.push_back(std::move(heavy.programs[static_cast<size_t>(heavy.ranks[rank].program)]));
    deployment.ranks[rank].program = static_cast<int32_t>(deployment.programs.size()) - 1;
  }
}

std::vector<Detour> detours_of(const RankResources& resources, const Job& job, Program& program) {
  std::vector<Detour> detours;
  if (resources.guard_ns > 0) {
    const auto segment = static_cast<int32_t>(program.segments.size());
    std::vector<Instruction> frames;
    ProgramWriter writer(program);
    writer.write_to(frames);
    write_compile(resources.guard_ns, writer);
    program.segments.push_back(std::move(frames));
    for (int32_t step = 1; step < job.warmup_steps + job.recorded_steps; ++step) {
      detours.push_back({.step = step, .thread = kMainThread, .permille = kGuardPermille, .segment = segment});
    }
  }
  for (const AllocatorMiss& miss : resources.misses) {
    detours.push_back({.step = job.warmup_steps + miss.step,
                       .thread = miss.in_backward ? kAutogradThread : kMainThread,
                       .permille = miss.place_permille,
                       .segment = write_allocator_miss(miss, program)});
  }
  return detours;
}

Status apply_faults(std::span<const FaultInstance> faults, Machine& machine, Job& job) {
  for (const FaultInstance& instance : faults) {
    const Fault* fault = find_fault(instance.fault);
    if (fault == nullptr) {
      std::string ids;
      for (const Fault& known : all_faults()) ids += (ids.empty() ? "" : ", ") + std::string(known.id);
      return fail(ErrorCode::not_found, "fault \"" + instance.fault + "\" is unknown; expected one of " + ids);
    }
    TRY_OK(fault->apply(instance, machine, job));
  }
  return {};
}

}  // namespace

Result<SimulatedJob> simulate(const Job& healthy_job, std::span<const FaultInstance> faults, uint64_t seed) {
  Job job = healthy_job;
  TRY_OK(check_job(job));
  const int32_t world_size = job.fabric.world_size();
  Machine machine{.ranks = std::vector<RankResources>(static_cast<size_t>(world_size))};
  TRY_OK(apply_faults(faults, machine, job));
  TRY_OK(check_job(job));

  const Run run = draw_run(seed);
  Deployment deployment = training_deployment(job, run.software);
  EngineConfig config{.ranks = {},
                      .warmup_steps = job.warmup_steps,
                      .recorded_steps = job.recorded_steps,
                      .first_step_number = run.first_step,
                      .launch_latency_ns = launch_latency_ns(*job.gpu),
                      .compute_rate = run.compute_rate,
                      .waiting_rate = 1 - kWaitingShare * (1 - run.compute_rate),
                      .comm_rate = run.comm_rate,
                      .seed = seed};
  deploy_batches(machine, job, run.software, deployment);
  // Before the ranks' tables of names are made: all of them start as the program's.
  for (size_t rank = 0; rank < machine.ranks.size(); ++rank) {
    Program& program = deployment.programs[static_cast<size_t>(deployment.ranks[rank].program)];
    config.detours.push_back(detours_of(machine.ranks[rank], job, program));
  }
  add_background(healthy_job, seed, deployment, config);
  for (Program& program : deployment.programs) apply_dialect(program, *job.gpu);
  std::vector<RankBuild> builds;
  for (int32_t rank = 0; rank < world_size; ++rank) {
    const RankResources& resources = machine.ranks[static_cast<size_t>(rank)];
    config.ranks.push_back(speed_of(resources, seed, rank));
    config.loaders.push_back(resources.loader.is_modelled() ? resources.loader : job.loader);
    if (resources.compile_step >= 0) {
      config.stalls.resize(static_cast<size_t>(rank) + 1);
      // Ranks compile apart, and no two take the same time.
      RandomStream draws(seed, "compile", rank);
      const double dur_ns = static_cast<double>(resources.compile_ns) * draws.lognormal(kCompileSigma);
      config.stalls.back() = {job.warmup_steps + resources.compile_step, static_cast<TimeNs>(dur_ns)};
    }
    builds.push_back(start_rank(job, deployment, run, seed, rank));
  }
  std::vector<trace::RankTraceBuilder> builders;
  std::vector<RankTracks> tracks;
  for (RankBuild& build : builds) {
    builders.push_back(std::move(build.builder));
    tracks.push_back(build.tracks);
  }
  EngineResult result = TRY(run_engine(deployment, config, builders, tracks));

  SimulatedJob out;
  out.compute_rate_permille = static_cast<int32_t>(round_to_int(run.compute_rate * 1000));
  out.comm_rate_permille = static_cast<int32_t>(round_to_int(run.comm_rate * 1000));
  std::vector<trace::RankTrace> ranks;
  for (int32_t rank = 0; rank < world_size; ++rank) {
    const auto at = static_cast<size_t>(rank);
    builds[at].builder = std::move(builders[at]);
    add_watchdog(builds[at], *job.gpu, result.window_begin_ns[at], result.window_end_ns[at], seed, rank);
    ranks.push_back(builds[at].builder.finish_at(result.window_begin_ns[at]));
  }
  out.trace = trace::assemble(std::move(ranks));

  const TimeNs to_common_ns = out.trace.ranks.front().clock_offset_ns - result.window_begin_ns.front();
  const std::vector<TimeNs>& ends_ns = result.compute_end_ns.front();
  for (size_t step = 1; step < ends_ns.size(); ++step) {
    out.steps.push_back({ends_ns[step - 1] + to_common_ns, ends_ns[step] + to_common_ns});
  }
  if (!out.steps.empty()) {
    out.mean_step_ns = (out.steps.back().end_ns - out.steps.front().begin_ns) / static_cast<TimeNs>(out.steps.size());
  }
  out.tokens_per_step = tokens_per_step(job);
  return out;
}

}  // namespace td::sim
