#include "sim/job/background.h"

#include <algorithm>

#include "base/random.h"
#include "sim/job/allocator.h"
#include "sim/job/compiled.h"
#include "sim/job/metrics.h"
#include "sim/job/program_writer.h"

namespace td::sim {
namespace {

// How often each kind is there, of the runs.
constexpr int kHostValuesPermille = 500;  // item() of tensors that lie on the host
constexpr int kDeviceValuePermille = 300;
constexpr int kAllocationsPermille = 450;
constexpr int kFreePermille = 300;
constexpr int kPausePermille = 350;
constexpr int kWarmUpPermille = 400;
constexpr int kSlowFirstBatchPermille = 150;

// A value read from the device costs some 60 us: only where that is less than 3 permille of the step.
constexpr TimeNs kReadCostNs = 60'000;
constexpr int64_t kReadMostPermille = 3;
// A pause costs what the host is not ahead by: at most half of what it should be, and 12 permille of a step over all.
constexpr int64_t kPauseMostPermille = 12;
constexpr TimeNs kPauseLongestNs = 120 * kNsPerMs;
constexpr TimeNs kPauseShortestNs = kNsPerMs;
// One cudaFree drains the device: only where that is lost among the steps.
constexpr TimeNs kFreeCostNs = 300'000;
constexpr int64_t kFreeMostPermille = 2;
constexpr TimeNs kMallocLowNs = 60'000;
constexpr TimeNs kMallocHighNs = 900'000;
// A step that warms up is either hardly longer than the others or plainly so: nothing between that would blur their
// mean.
constexpr int64_t kSmallWarmUpPermille = 20;
constexpr int64_t kLowWarmUpPermille = 300;
constexpr int64_t kHighWarmUpPermille = 900;
constexpr int kSmallWarmUpOfThemPermille = 350;
constexpr TimeNs kWarmUpCallLowNs = 300'000;
constexpr TimeNs kWarmUpCallHighNs = 6 * kNsPerMs;
constexpr TimeNs kCompileLowNs = 300 * kNsPerMs;
constexpr TimeNs kCompileHighNs = 4 * kNsPerS;
constexpr TimeNs kFirstBatchLowNs = kNsPerS;
constexpr TimeNs kFirstBatchMoreNs = 3 * kNsPerS;
constexpr TimeNs kApartNs = 4 * kNsPerMs;  // between ranks

void add_work(const Program& program, const std::vector<Instruction>& segment, StepWork& out) {
  for (const Instruction& instruction : segment) {
    switch (instruction.code) {
      case Code::launch:
        out.device_ns += program.kernels[static_cast<size_t>(instruction.index)].time.total_ns(1.0, 1.0);
        out.host_ns += instruction.cost_ns;
        break;
      case Code::run_thread:
        out.autograd = true;
        add_work(program, program.segments[static_cast<size_t>(instruction.index)], out);
        break;
      case Code::run_segment:
        add_work(program, program.segments[static_cast<size_t>(instruction.index)], out);
        break;
      case Code::stall:
      case Code::loader:
        break;
      default:
        out.host_ns += instruction.cost_ns;
        break;
    }
  }
}

// One rank's programs and draws.
class Background {
 public:
  Background(const Job& job, uint64_t seed, int32_t rank, Program& program, std::vector<Detour>& detours)
      : job_(job), seed_(seed), rank_(rank), program_(program), work_(work_of_step(program)), detours_(detours) {}

  void add() {
    add_values();
    add_allocations();
    add_pause();
    add_warm_up();
  }

  [[nodiscard]] FirstBatch first_batch() const { return {.wait_ns = first_wait_ns(), .busy_ns = warm_up_ns_}; }

 private:
  [[nodiscard]] TimeNs first_wait_ns() const {
    RandomStream run(seed_, "background.first_batch");
    if (!run.chance_permille(often(kSlowFirstBatchPermille))) return 0;
    // Plainly longer than a step, so that nobody takes it for one. Storage is slow for all ranks alike.
    const TimeNs wait_ns = std::max(kFirstBatchLowNs, work_.device_ns * 5 / 2) + run.uniform_int(0, kFirstBatchMoreNs);
    return wait_ns + RandomStream(seed_, "background.first_batch", rank_).uniform_int(0, kApartNs);
  }

  [[nodiscard]] int often(int permille) const { return std::min(950, permille * job_.noise_percent / 100); }
  [[nodiscard]] int32_t steady_steps() const { return std::max(1, job_.recorded_steps - 1); }
  [[nodiscard]] int32_t back_thread() const { return work_.autograd ? kAutogradThread : kMainThread; }

  // What the host should be ahead by after `permille` of a thread's ops: forward is a third of the work.
  [[nodiscard]] TimeNs lead_ns(int32_t thread, int64_t permille) const {
    const TimeNs all_ns = std::max<TimeNs>(0, work_.device_ns - work_.host_ns);
    if (!work_.autograd) return all_ns * permille / 1000;
    return thread == kAutogradThread ? all_ns * (330 + permille * 6 / 10) / 1000 : all_ns * permille / 3000;
  }

  template <typename Body>
  int32_t segment(const Body& body) {
    const size_t index = program_.segments.size();
    program_.segments.emplace_back();
    ProgramWriter writer(program_);
    std::vector<Instruction> list;
    writer.write_to(list);
    body(writer);
    program_.segments[index] = std::move(list);
    return static_cast<int32_t>(index);
  }

  void at(int32_t step, int32_t thread, int64_t permille, int32_t segment_index) {
    detours_.push_back({.step = job_.warmup_steps + step,
                        .thread = thread,
                        .permille = static_cast<int32_t>(permille),
                        .segment = segment_index});
  }

  // item() in every step: of scalars that lie on the host, which waits for nothing; and of one that does not, at the
  // end of backward.
  void add_values() {
    RandomStream run(seed_, "background.values");
    const bool on_host = run.chance_permille(often(kHostValuesPermille));
    const int64_t count = run.uniform_int(1, 4);
    const int64_t first_permille = run.uniform_int(20, 700);
    const bool on_device = run.chance_permille(often(kDeviceValuePermille));
    if (on_host) {
      const int32_t index = segment([](ProgramWriter& writer) {
        writer.op("aten::item", 1'500);
        writer.leaf("aten::_local_scalar_dense", 1'200);
        writer.end(300);
      });
      for (int32_t step = 0; step < job_.recorded_steps; ++step) {
        for (int64_t i = 0; i < count; ++i) at(step, kMainThread, first_permille + 60 * i, index);
      }
    }
    if (!on_device || kReadCostNs * 1000 > work_.device_ns * kReadMostPermille) return;
    const int32_t index = segment([](ProgramWriter& writer) { read_scalar(writer); });
    for (int32_t step = 0; step < job_.recorded_steps; ++step) at(step, back_thread(), 985, index);
  }

  // A segment mapped now and then while the host is ahead, and one that is given back.
  void add_allocations() {
    RandomStream run(seed_, "background.allocations");
    const bool maps = run.chance_permille(often(kAllocationsPermille));
    const bool frees = run.chance_permille(often(kFreePermille));
    RandomStream draws(seed_, "background.allocations", rank_);
    const int64_t count = draws.uniform_int(0, 3);
    for (int64_t i = 0; i < count && maps; ++i) {
      const int64_t permille = draws.uniform_int(300, 900);
      const auto step = static_cast<int32_t>(draws.uniform_int(0, steady_steps()));
      const TimeNs most_ns = std::max(kMallocLowNs, std::min(kMallocHighNs, lead_ns(back_thread(), permille) / 2));
      const TimeNs map_ns = draws.uniform_int(kMallocLowNs, most_ns);
      at(step, back_thread(), permille, segment([&](ProgramWriter& writer) { writer.call("cudaMalloc", map_ns); }));
    }
    const bool here = draws.chance_permille(300);
    if (!frees || !here || kFreeCostNs * 1000 > work_.device_ns * steady_steps() * kFreeMostPermille) return;
    const TimeNs free_ns = draws.uniform_int(90'000, 200'000);
    const auto step = static_cast<int32_t>(draws.uniform_int(1, steady_steps()));
    at(step, kMainThread, draws.uniform_int(100, 900),
       segment([&](ProgramWriter& writer) { writer.blocking_call("cudaFree", free_ns); }));
  }

  // The garbage collector stops one rank's host once, under queued work.
  void add_pause() {
    RandomStream run(seed_, "background.pause");
    const bool there = run.chance_permille(often(kPausePermille));
    const int64_t rank = run.uniform_int(0, job_.fabric.world_size() - 1);
    const auto step = static_cast<int32_t>(run.uniform_int(0, steady_steps()));
    const int64_t permille = run.uniform_int(350, 900);
    const bool named = run.chance_permille(500);
    const int64_t share_permille = run.uniform_int(300, 1000);
    if (!there || rank != rank_) return;
    const TimeNs most_ns = std::min({kPauseLongestNs, lead_ns(back_thread(), permille) / 2,
                                     work_.device_ns * steady_steps() * kPauseMostPermille / 1000});
    const TimeNs pause_ns = most_ns * share_permille / 1000;
    if (pause_ns < kPauseShortestNs) return;
    at(step, back_thread(), permille, segment([&](ProgramWriter& writer) {
         if (named) writer.annotation("gc.collect", 0);
         writer.pass(pause_ns);
         if (named) writer.end(0);
       }));
  }

  // The first recorded step still loads code, maps memory, compiles.
  void add_warm_up() {
    RandomStream run(seed_, "background.warm_up");
    if (!run.chance_permille(often(kWarmUpPermille))) return;
    const bool small = run.chance_permille(kSmallWarmUpOfThemPermille);
    const int64_t permille =
        small ? run.uniform_int(5, kSmallWarmUpPermille) : run.uniform_int(kLowWarmUpPermille, kHighWarmUpPermille);
    RandomStream draws(seed_, "background.warm_up", rank_);
    // Ranks that compile wait for each other before they train.
    const TimeNs compile_ns = run.uniform_int(kCompileLowNs, kCompileHighNs) + draws.uniform_int(0, kApartNs);
    TimeNs left_ns = work_.device_ns * permille / 1000;
    if (!small) left_ns += work_.device_ns;  // the host was ahead
    if (!small && job_.execution == Execution::compiled && compile_ns > left_ns) {
      at(0, kMainThread, 60, segment([&](ProgramWriter& writer) { write_compile(compile_ns, writer); }));
      warm_up_ns_ = compile_ns;
      return;
    }
    warm_up_ns_ = left_ns;
    while (left_ns > 0) {
      const TimeNs call_ns = std::min(left_ns, draws.uniform_int(kWarmUpCallLowNs, kWarmUpCallHighNs));
      const bool loads = draws.chance_permille(350);
      const int32_t calls = static_cast<int32_t>(std::min<int64_t>(24, left_ns / call_ns));
      at(0, kMainThread, draws.uniform_int(10, 900), segment([&](ProgramWriter& writer) {
           for (int32_t i = 0; i < calls; ++i) {
             writer.call(loads ? "cuLibraryLoadData" : "cudaMalloc", call_ns);
             writer.work(15'000);
           }
         }));
      left_ns -= call_ns * calls;
    }
  }

  const Job& job_;
  uint64_t seed_;
  int32_t rank_;
  Program& program_;
  StepWork work_;
  std::vector<Detour>& detours_;
  TimeNs warm_up_ns_ = 0;
};

}  // namespace

StepWork work_of_step(const Program& program) {
  StepWork out;
  if (!program.segments.empty()) add_work(program, program.segments[0], out);
  return out;
}

void add_background(const Job& job, uint64_t seed, Deployment& deployment, EngineConfig& config) {
  if (job.noise_percent <= 0) return;
  config.detours.resize(deployment.ranks.size());
  config.first_batches.resize(deployment.ranks.size());
  for (size_t rank = 0; rank < deployment.ranks.size(); ++rank) {
    Program& program = deployment.programs[static_cast<size_t>(deployment.ranks[rank].program)];
    Background background(job, seed, static_cast<int32_t>(rank), program, config.detours[rank]);
    background.add();
    config.first_batches[rank] = background.first_batch();
  }
}

}  // namespace td::sim
