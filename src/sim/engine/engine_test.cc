// Time by hand: each test states its expectation as arithmetic, then checks it.
#include "sim/engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/intervals.h"
#include "sim/engine/event_queue.h"

namespace td::sim {
namespace {

TEST(EventQueue, OrdersByTimeThenBySequence) {
  EventQueue queue;
  EXPECT_EQ(queue.next_ns(), INT64_MAX);
  queue.push(20, EventType::host, 0, 1);
  queue.push(10, EventType::host, 0, 2);
  queue.push(10, EventType::host, 0, 3);
  queue.push(5, EventType::host, 0, 4);
  queue.push(10, EventType::host, 0, 5);
  std::vector<int32_t> order;
  while (!queue.empty()) order.push_back(queue.pop().id);
  EXPECT_EQ(order, (std::vector<int32_t>{4, 2, 3, 5, 1}));
}

// A builder with tracks for each rank.
void make_rows(const Deployment& deployment, std::vector<trace::RankTraceBuilder>& builders,
               std::vector<RankTracks>& tracks) {
  for (const RankRole& role : deployment.ranks) {
    const Program& program = deployment.programs[static_cast<size_t>(role.program)];
    trace::RankTraceBuilder& builder = builders.emplace_back();
    builder.header().strings = program.strings;
    RankTracks& row = tracks.emplace_back();
    for (trace::TrackId& track : row.threads) track = builder.add_track({});
    for (int32_t stream = 0; stream < program.stream_count; ++stream) row.streams.push_back(builder.add_track({}));
  }
}

// A program under construction with exact times: no jitter, gaps of 1 us, launches seen 5 us after the call's start.
struct Bench {
  Program program;
  EngineConfig config;
  std::vector<trace::RankTraceBuilder> builders;
  std::vector<RankTracks> tracks;
  EngineResult result;

  explicit Bench(int32_t ranks = 1) {
    program.segments.resize(1);
    config.ranks.resize(static_cast<size_t>(ranks));
    config.warmup_steps = 0;
    config.recorded_steps = 1;
    config.kernel_sigma = 0;
    config.host_sigma = 0;
    config.seed = 1;
    step().push_back({.code = Code::begin_step, .kind = trace::SliceKind::annotation});
  }

  std::vector<Instruction>& step() { return program.segments[0]; }

  void kernel(TimeNs compute_ns, TimeNs memory_ns = 0) {
    KernelSpec spec;
    spec.name = program.strings.intern("kernel");
    spec.time = {.compute_ns = static_cast<double>(compute_ns), .memory_ns = static_cast<double>(memory_ns)};
    program.kernels.push_back(spec);
    step().push_back({.code = Code::launch,
                      .name = program.strings.intern("cudaLaunchKernel"),
                      .cost_ns = 4'000,
                      .index = static_cast<int32_t>(program.kernels.size()) - 1});
  }
  void collective(TimeNs transfer_ns) {
    CollectiveSpec spec;
    spec.kernel.name = program.strings.intern("ncclDevKernel_AllReduce");
    spec.in_count = 1'000;
    spec.out_count = 1'000;
    spec.transfer_ns = transfer_ns;
    program.collectives.push_back(spec);
    step().push_back({.code = Code::collective,
                      .name = program.strings.intern("cudaLaunchKernelExC"),
                      .cost_ns = 4'000,
                      .index = static_cast<int32_t>(program.collectives.size()) - 1,
                      .stream = kCommStream});
  }
  void sync() {
    step().push_back({.code = Code::sync_device, .name = program.strings.intern("cudaDeviceSynchronize")});
  }

  void run() {
    program.epilogue.push_back({.code = Code::sync_device, .name = program.strings.intern("cudaDeviceSynchronize")});
    const Deployment deployment = deploy_on_all(program, static_cast<int32_t>(config.ranks.size()));
    make_rows(deployment, builders, tracks);
    auto done = run_engine(deployment, config, builders, tracks);
    ASSERT_TRUE(done.has_value()) << done.error().text();
    result = std::move(*done);
  }

  // Slices of a kind in order of their end.
  std::vector<Interval> slices(trace::SliceKind kind, size_t rank = 0) {
    const trace::RankTrace& trace = builders[rank].header();
    std::vector<Interval> out;
    for (size_t i = 0; i < trace.slice_count(); ++i) {
      if (trace.kind[i] == kind) out.push_back({trace.start_ns[i], trace.start_ns[i] + trace.dur_ns[i]});
    }
    return out;
  }
};

TEST(Engine, QueuedKernelsFollowAfterAGap) {
  Bench bench;
  for (int i = 0; i < 3; ++i) bench.kernel(100'000);
  bench.run();
  const auto kernels = bench.slices(trace::SliceKind::compute);
  const auto launches = bench.slices(trace::SliceKind::runtime);
  ASSERT_EQ(kernels.size(), 3U);
  // The first starts one launch latency (6.4 us, -12 to +25 %) after its call began.
  EXPECT_GE(kernels[0].begin_ns - launches[0].begin_ns, 6'400 * 88 / 100);
  EXPECT_LE(kernels[0].begin_ns - launches[0].begin_ns, 6'400 * 125 / 100);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(kernels[i].length_ns(), 100'000);
  for (size_t i = 1; i < 3; ++i) {
    const TimeNs gap_ns = kernels[i].begin_ns - kernels[i - 1].end_ns;
    EXPECT_GE(gap_ns, 1'100 * 78 / 100);
    EXPECT_LE(gap_ns, 1'100 * 145 / 100);
  }
}

TEST(Engine, LaunchBlocksWhileTheQueueIsFull) {
  Bench bench;
  bench.config.queue_depth = 4;
  for (int i = 0; i < 7; ++i) bench.kernel(1'000'000);
  bench.run();
  const auto launches = bench.slices(trace::SliceKind::runtime);
  const auto kernels = bench.slices(trace::SliceKind::compute);
  // One runs, four wait: the sixth call blocks until the second kernel starts, then takes its 4 us.
  EXPECT_EQ(launches[4].length_ns(), 4'000);
  EXPECT_NEAR(static_cast<double>(launches[5].end_ns), static_cast<double>(kernels[1].begin_ns + 4'000), 2'000);
  EXPECT_GT(launches[5].length_ns(), 900'000);
  EXPECT_NEAR(static_cast<double>(launches[6].length_ns()), 1'000'000, 10'000);
}

TEST(Engine, SyncWaitsForTheDevice) {
  Bench bench;
  bench.kernel(500'000);
  bench.sync();
  bench.kernel(500'000);
  bench.run();
  const auto kernels = bench.slices(trace::SliceKind::compute);
  const auto calls = bench.slices(trace::SliceKind::runtime);
  // calls: launch, sync, launch, sync. The host wakes 5 to 10 us after the kernel's end.
  EXPECT_GE(calls[1].end_ns, kernels[0].end_ns + 5'000);
  EXPECT_LE(calls[1].end_ns, kernels[0].end_ns + 10'000);
  EXPECT_GE(kernels[1].begin_ns, calls[1].end_ns);
}

TEST(Engine, EventsOrderStreams) {
  Bench bench(1);
  bench.program.event_count = 1;
  bench.kernel(300'000);
  bench.step().push_back({.code = Code::record_event, .index = 0, .stream = kComputeStream});
  bench.step().push_back({.code = Code::wait_event, .index = 0, .stream = kCommStream});
  bench.collective(200'000);
  bench.run();
  const auto compute = bench.slices(trace::SliceKind::compute);
  const auto comm = bench.slices(trace::SliceKind::comm);
  EXPECT_GE(comm[0].begin_ns, compute[0].end_ns);
  EXPECT_LE(comm[0].begin_ns, compute[0].end_ns + 2'000);
  // 200 us, -1.5 to +3 % and up to 1.2 us of exit skew.
  EXPECT_GE(comm[0].length_ns(), 197'000);
  EXPECT_LE(comm[0].length_ns(), 207'200);
}

TEST(Engine, CollectiveSpansFromArrivalToTheCommonEnd) {
  Bench bench(2);
  bench.config.ranks[1].sm_clock = 0.5;
  bench.program.event_count = 1;
  bench.kernel(1'000'000);
  bench.step().push_back({.code = Code::record_event, .index = 0, .stream = kComputeStream});
  bench.step().push_back({.code = Code::wait_event, .index = 0, .stream = kCommStream});
  bench.collective(400'000);
  bench.run();
  // Rank 1's kernel takes 2 ms, rank 0's 1 ms: rank 0 waits for about 1 ms, then both transfer for 0.4 ms.
  const Interval first = bench.slices(trace::SliceKind::comm, 0)[0];
  const Interval last = bench.slices(trace::SliceKind::comm, 1)[0];
  EXPECT_EQ(bench.slices(trace::SliceKind::compute, 1)[0].length_ns(), 2'000'000);
  EXPECT_NEAR(static_cast<double>(first.length_ns()), 1'400'000, 60'000);
  EXPECT_NEAR(static_cast<double>(last.length_ns()), 400'000, 15'000);
  EXPECT_NEAR(static_cast<double>(first.end_ns), static_cast<double>(last.end_ns), 1'200);
}

TEST(Engine, SlowClockStretchesComputeBoundKernelsOnly) {
  Bench bench;
  bench.config.ranks[0].sm_clock = 0.5;
  bench.kernel(100'000, 10'000);  // 200 us at half the clock
  bench.kernel(10'000, 100'000);  // memory bound: unchanged
  bench.kernel(80'000, 100'000);  // becomes compute bound: 160 us
  bench.run();
  const auto kernels = bench.slices(trace::SliceKind::compute);
  EXPECT_EQ(kernels[0].length_ns(), 200'000);
  EXPECT_EQ(kernels[1].length_ns(), 100'000);
  EXPECT_EQ(kernels[2].length_ns(), 160'000);
}

TEST(Engine, OverlapSlowsBothByTheirRates) {
  Bench bench;
  bench.config.compute_rate = 0.8;
  bench.config.comm_rate = 0.9;
  bench.collective(100'000);
  bench.kernel(1'000'000);
  bench.run();
  const Interval comm = bench.slices(trace::SliceKind::comm)[0];
  const Interval compute = bench.slices(trace::SliceKind::compute)[0];
  // The kernel does 0.8 ns of work a ns while the collective is resident, 1 before and after:
  // length = work + 0.2 x overlap.
  const TimeNs overlap_ns = std::min(comm.end_ns, compute.end_ns) - std::max(comm.begin_ns, compute.begin_ns);
  ASSERT_GT(overlap_ns, 90'000);
  EXPECT_NEAR(static_cast<double>(compute.length_ns()), 1'000'000 + 0.2 * static_cast<double>(overlap_ns), 2);
}

TEST(Engine, WaitingCostsLessThanTransferring) {
  // Rank 0 arrives at once and computes 1 ms beside the waiting kernel: at 0.9 that takes 1.1111 ms.
  Bench bench(2);
  bench.config.compute_rate = 0.8;
  bench.config.waiting_rate = 0.9;
  bench.config.ranks[1].sm_clock = 0.25;
  bench.program.event_count = 1;
  bench.kernel(1'000'000);
  bench.step().push_back({.code = Code::record_event, .index = 0, .stream = kComputeStream});
  bench.step().push_back({.code = Code::wait_event, .index = 0, .stream = kCommStream});
  bench.collective(50'000);
  bench.kernel(1'000'000);
  bench.run();
  EXPECT_NEAR(static_cast<double>(bench.slices(trace::SliceKind::compute, 0)[1].length_ns()), 1'111'111, 300);
}

TEST(Engine, AllOverlapAndNoOverlap) {
  // All: a kernel wholly under a long collective runs at 0.8 of its speed: 1 ms takes 1.25 ms.
  Bench all;
  all.config.compute_rate = 0.8;
  all.collective(10'000'000);
  all.step().push_back({.code = Code::work, .cost_ns = 50'000});
  all.kernel(1'000'000);
  all.run();
  EXPECT_EQ(all.slices(trace::SliceKind::compute)[0].length_ns(), 1'250'000);
  // None: the transfer has ended before the kernel starts.
  Bench none;
  none.config.compute_rate = 0.8;
  none.collective(10'000);
  none.step().push_back({.code = Code::work, .cost_ns = 50'000});
  none.kernel(1'000'000);
  none.run();
  EXPECT_EQ(none.slices(trace::SliceKind::compute)[0].length_ns(), 1'000'000);
}

TEST(Engine, ZeroLengthWorkIsSound) {
  Bench bench(2);
  bench.collective(0);
  bench.kernel(0);
  bench.run();
  EXPECT_EQ(bench.slices(trace::SliceKind::compute)[0].length_ns(), 0);
  EXPECT_EQ(bench.slices(trace::SliceKind::comm).size(), 1U);
}

TEST(Engine, WarmUpIsNotRecorded) {
  Bench bench;
  bench.config.warmup_steps = 2;
  bench.kernel(100'000);
  bench.sync();
  bench.run();
  EXPECT_EQ(bench.slices(trace::SliceKind::compute).size(), 1U);
  EXPECT_GT(bench.result.window_begin_ns[0], 200'000);
}

// Three ranks of three roles: 0 sends to 1, 1 to 2, each over a group of its own.
struct Chain {
  Deployment deployment;
  EngineConfig config;
  std::vector<trace::RankTraceBuilder> builders;
  std::vector<RankTracks> tracks;

  Chain() {
    config.ranks.resize(3);
    config.warmup_steps = 0;
    config.recorded_steps = 1;
    config.kernel_sigma = 0;
    config.host_sigma = 0;
    config.seed = 1;
    deployment.groups = {{.name = "1", .description = "", .ranks = {0, 1}},
                         {.name = "2", .description = "", .ranks = {1, 2}}};
    deployment.ranks = {{.program = 0, .groups = {0}}, {.program = 1, .groups = {0, 1}}, {.program = 2, .groups = {1}}};
    for (int32_t role = 0; role < 3; ++role) {
      Program& program = deployment.programs.emplace_back();
      program.stream_count = role == 1 ? 3 : 2;
      program.event_count = 3;
      program.segments.resize(1);
      program.segments[0].push_back({.code = Code::begin_step, .kind = trace::SliceKind::annotation});
      program.epilogue.push_back({.code = Code::sync_device});
    }
  }
  void kernel(size_t role, TimeNs dur_ns) {
    Program& program = deployment.programs[role];
    KernelSpec spec;
    spec.time = {.compute_ns = static_cast<double>(dur_ns)};
    program.kernels.push_back(spec);
    program.segments[0].push_back(
        {.code = Code::launch, .cost_ns = 4'000, .index = static_cast<int32_t>(program.kernels.size()) - 1});
  }
  // After what the compute stream has so far; the compute stream waits for it if it receives.
  void message(size_t role, int32_t group, bool receives, TimeNs transfer_ns = 200'000, double footprint = 0) {
    Program& program = deployment.programs[role];
    std::vector<Instruction>& step = program.segments[0];
    program.collectives.push_back({.kernel = {},
                                   .kind = trace::CollectiveKind::send_recv,
                                   .transfer_ns = transfer_ns,
                                   .group = group,
                                   .footprint = footprint});
    const int32_t stream = 1 + group;
    step.push_back({.code = Code::record_event, .index = 0, .stream = kComputeStream});
    step.push_back({.code = Code::wait_event, .index = 0, .stream = stream});
    step.push_back({.code = Code::collective,
                    .cost_ns = 4'000,
                    .index = static_cast<int32_t>(program.collectives.size()) - 1,
                    .stream = stream});
    if (!receives) return;
    step.push_back({.code = Code::record_event, .index = 1, .stream = stream});
    step.push_back({.code = Code::wait_event, .index = 1, .stream = kComputeStream});
  }
  Result<EngineResult> run() {
    make_rows(deployment, builders, tracks);
    return run_engine(deployment, config, builders, tracks);
  }
  std::vector<Interval> slices(trace::SliceKind kind, size_t rank) {
    const trace::RankTrace& trace = builders[rank].header();
    std::vector<Interval> out;
    for (size_t i = 0; i < trace.slice_count(); ++i) {
      if (trace.kind[i] == kind) out.push_back({trace.start_ns[i], trace.start_ns[i] + trace.dur_ns[i]});
    }
    return out;
  }
};

TEST(Engine, AReceiverWaitsInItsKernel) {
  Chain chain;
  chain.kernel(0, 1'000'000);
  chain.message(0, 0, false);
  chain.message(1, 0, true);
  chain.kernel(1, 2'000'000);
  chain.message(1, 1, false);
  chain.message(2, 0, true);
  chain.kernel(2, 500'000);
  ASSERT_TRUE(chain.run().has_value());
  // Rank 1 gets its input after 1 ms and 0.2 ms of transfer, rank 2 after another 2 and 0.2.
  const Interval first = chain.slices(trace::SliceKind::comm, 1)[0];
  const Interval second = chain.slices(trace::SliceKind::comm, 2)[0];
  EXPECT_NEAR(static_cast<double>(first.length_ns()), 1'200'000, 60'000);
  EXPECT_NEAR(static_cast<double>(second.length_ns()), 3'400'000, 80'000);
  // Senders are there last: their kernels hold the transfer alone.
  EXPECT_NEAR(static_cast<double>(chain.slices(trace::SliceKind::comm, 0)[0].length_ns()), 200'000, 8'000);
  EXPECT_NEAR(static_cast<double>(chain.slices(trace::SliceKind::comm, 1)[1].length_ns()), 200'000, 8'000);
  EXPECT_GE(chain.slices(trace::SliceKind::compute, 2)[0].begin_ns, second.end_ns);
}

TEST(Engine, AFootprintSharesTheContention) {
  // Rank 0 computes 1 ms beside a message that waits for rank 1's 3 ms: at 1 - 0.5 x 0.2.
  for (const double footprint : {0.0, 0.5, 1.0}) {
    Chain chain;
    chain.config.waiting_rate = 0.8;
    chain.message(0, 0, false, 100'000, footprint);
    chain.kernel(0, 1'000'000);
    chain.kernel(1, 3'000'000);
    chain.message(1, 0, true, 100'000, footprint);
    ASSERT_TRUE(chain.run().has_value());
    EXPECT_NEAR(static_cast<double>(chain.slices(trace::SliceKind::compute, 0)[0].length_ns()),
                1'000'000 / (1 - 0.2 * footprint), 2'000);
  }
}

TEST(Engine, GroupsThatDisagreeAreAnError) {
  Chain chain;
  chain.message(0, 0, false, 200'000);
  chain.message(1, 0, true, 300'000);
  const auto result = chain.run();
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("collective 1 of group 1 is not the same on rank"), std::string::npos)
      << result.error().message;
}

TEST(Engine, AMessageThatNobodySendsIsAnError) {
  Chain chain;
  chain.message(1, 0, true);
  chain.kernel(1, 1'000);
  const auto result = chain.run();
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("never ends"), std::string::npos) << result.error().message;
}

TEST(Engine, ARankOutsideItsGroupIsAnError) {
  Chain chain;
  chain.deployment.ranks[2].groups = {0};
  EXPECT_FALSE(chain.run().has_value());
}

TEST(Engine, SegmentsRunInPlaceWithTheirOwnSequence) {
  Bench bench;
  bench.program.segments.resize(2);
  bench.program.sequences_per_step = 8;
  const trace::StringId name = bench.program.strings.intern("aten::mm");
  bench.program.segments[1] = {
      {.code = Code::begin, .kind = trace::SliceKind::host_op, .name = name, .cost_ns = 1'000, .sequence = 2},
      {.code = Code::end, .cost_ns = 1'000}};
  for (const int32_t first : {0, 4}) {
    bench.step().push_back({.code = Code::run_segment, .index = 1, .sequence = first});
    bench.step().push_back({.code = Code::work, .cost_ns = 10'000});
  }
  bench.run();
  const trace::RankTrace& trace = bench.builders[0].header();
  std::vector<int64_t> sequences;
  for (const trace::OpArgs& args : trace.ops) {
    if (trace.name[args.slice] == name) sequences.push_back(args.sequence);
  }
  EXPECT_EQ(sequences, (std::vector<int64_t>{2, 6}));
  const auto ops = bench.slices(trace::SliceKind::host_op);
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[1].begin_ns - ops[0].end_ns, 10'000);
}

TEST(Engine, NeedsAStepAndARank) {
  EngineConfig config;
  config.ranks.resize(1);
  std::vector<trace::RankTraceBuilder> builders(1);
  std::vector<RankTracks> tracks(1);
  EXPECT_FALSE(run_engine(deploy_on_all({}, 1), config, builders, tracks).has_value());
  EXPECT_FALSE(run_engine({}, config, {}, {}).has_value());
}

// A detour runs once, inside the first op that begins from its place on, and a call that waits for the device opens a
// gap of its own cost, the way to the next launch and the launch's latency.
TEST(Engine, ADetourRunsOnceWhereItIsDue) {
  Bench bench;
  bench.config.recorded_steps = 3;
  bench.program.segments.emplace_back();
  bench.program.segments[1] = {
      {.code = Code::sync_device, .name = bench.program.strings.intern("cudaFree"), .cost_ns = 300'000}};
  const trace::StringId name = bench.program.strings.intern("aten::mm");
  for (int op = 0; op < 4; ++op) {
    bench.step().push_back({.code = Code::begin, .kind = trace::SliceKind::host_op, .name = name, .cost_ns = 1'000});
    bench.kernel(100'000);
    bench.step().push_back({.code = Code::end, .cost_ns = 1'000});
  }
  bench.step().push_back({.code = Code::end});
  bench.config.detours = {{{.step = 1, .thread = kMainThread, .permille = 750, .segment = 1}}};
  bench.run();
  const trace::RankTrace& rank = bench.builders[0].header();
  std::vector<Interval> frees;
  std::vector<Interval> ops;
  std::vector<Interval> kernels;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const Interval at = {rank.start_ns[slice], rank.start_ns[slice] + rank.dur_ns[slice]};
    if (rank.strings.view(rank.name[slice]) == "cudaFree") frees.push_back(at);
    if (rank.strings.view(rank.name[slice]) == "aten::mm") ops.push_back(at);
    if (rank.kind[slice] == trace::SliceKind::compute) kernels.push_back(at);
  }
  ASSERT_EQ(frees.size(), 1U);
  ASSERT_EQ(ops.size(), 12U);
  ASSERT_EQ(kernels.size(), 12U);
  std::ranges::sort(ops, {}, &Interval::begin_ns);
  std::ranges::sort(kernels, {}, &Interval::begin_ns);
  // The third of four ops.
  EXPECT_GE(frees[0].begin_ns, ops[6].begin_ns);
  EXPECT_LE(frees[0].end_ns, ops[6].end_ns);
  // It ends 300 us after the sixth kernel of the run and the wake-up of 5 to 10 us.
  EXPECT_GE(frees[0].end_ns, kernels[5].end_ns + 305'000);
  EXPECT_LE(frees[0].end_ns, kernels[5].end_ns + 310'000);
  EXPECT_GE(kernels[6].begin_ns, frees[0].end_ns + 5'000);
}

}  // namespace
}  // namespace td::sim
