#include "sim/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/intervals.h"
#include "hardware/formula/kernel_time.h"
#include "sim/job/catalogue.h"
#include "trace/check_trace.h"
#include "trace/dump.h"

namespace td::sim {
namespace {

constexpr uint64_t kSeeds = 12;

Job job_of(std::string_view gpu, std::string_view fabric, std::string_view model, int32_t batch = 4) {
  Job job;
  job.gpu = hardware::find_gpu(gpu);
  job.fabric = hardware::parse_fabric(fabric, 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model(model);
  job.batch = batch;
  return job;
}

Job drawn_job(uint64_t seed) {
  RandomStream stream(seed, "drill.job");
  auto job = draw_job(stream);
  EXPECT_TRUE(job.has_value());
  return job.value_or(Job{});
}

SimulatedJob run(const Job& job, uint64_t seed, std::vector<FaultInstance> faults = {}) {
  auto done = simulate(job, faults, seed);
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().text());
  return done ? std::move(*done) : SimulatedJob{};
}

FaultInstance slow_clock(int64_t rank, int64_t factor_permille) {
  return {.fault = "slow_clock", .numbers = {{"rank", rank}, {"factor_permille", factor_permille}}, .words = {}};
}

struct Shares {
  double busy = 0;
  double exposed = 0;
  double compute_ns = 0;
};

// Over all complete steps of rank 0's clock, for one rank.
Shares shares_of(const SimulatedJob& job, size_t rank) {
  const trace::RankTrace& trace = job.trace.ranks[rank];
  std::vector<Interval> compute;
  std::vector<Interval> comm;
  std::vector<Interval> copy;
  for (trace::SliceId i = 0; i < trace.slice_count(); ++i) {
    const Interval span = {trace.start_ns[i] + trace.clock_offset_ns, trace.end_ns(i) + trace.clock_offset_ns};
    if (trace.kind[i] == trace::SliceKind::compute) compute.push_back(span);
    if (trace.kind[i] == trace::SliceKind::comm) comm.push_back(span);
    if (trace.kind[i] == trace::SliceKind::copy) copy.push_back(span);
  }
  const Interval window = {job.steps.front().begin_ns, job.steps.back().end_ns};
  const auto length = static_cast<double>(window.length_ns());
  const IntervalSet c = clip(unite(std::move(compute)), window);
  const IntervalSet n = clip(unite(std::move(comm)), window);
  const IntervalSet m = clip(unite(std::move(copy)), window);
  return {.busy = static_cast<double>(total_ns(unite(unite(c, n), m))) / length,
          .exposed = static_cast<double>(total_ns(subtract(n, c))) / length,
          .compute_ns = static_cast<double>(total_ns(c))};
}

void expect_sound(const SimulatedJob& job, uint64_t seed) {
  for (const trace::Violation& violation : trace::check_trace(job.trace, trace::Strictness::simulated)) {
    ADD_FAILURE() << "seed " << seed << ": " << violation.rule << ": " << violation.text;
  }
}

TEST(Simulate, TracesAreSound) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Job job = drawn_job(seed);
    expect_sound(run(job, seed), seed);
    expect_sound(run(job, seed, {slow_clock(3, 720)}), seed);
  }
}

TEST(Simulate, SizeStaysBounded) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const SimulatedJob job = run(drawn_job(seed), seed);
    int64_t kernels = 0;
    for (const trace::RankTrace& rank : job.trace.ranks) kernels += static_cast<int64_t>(rank.kernels.size());
    EXPECT_EQ(job.trace.ranks.size(), 8U);
    EXPECT_EQ(job.steps.size(), 3U);  // four recorded, the first cut by the window
    EXPECT_LE(kernels, 900 * 8 * 4);  // the catalogue's most a step, ranks, steps
  }
}

TEST(Simulate, HealthyByTheReadersStandard) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Job job = drawn_job(seed);
    const SimulatedJob done = run(job, seed);
    double least_compute_ns = 1e18;
    double most_compute_ns = 0;
    for (size_t rank = 0; rank < 8; ++rank) {
      const Shares shares = shares_of(done, rank);
      EXPECT_GT(shares.busy, 0.95) << "seed " << seed;
      EXPECT_LT(shares.exposed, 0.04) << "seed " << seed;
      least_compute_ns = std::min(least_compute_ns, shares.compute_ns);
      most_compute_ns = std::max(most_compute_ns, shares.compute_ns);
    }
    EXPECT_LT(most_compute_ns / least_compute_ns, 1.03) << "seed " << seed;
    const double mfu = training_flop_per_token(*job.model, job.seq_len) * static_cast<double>(done.tokens_per_step) /
                       8 / (static_cast<double>(done.mean_step_ns) / 1e9) / job.gpu->bf16_flop_per_s;
    EXPECT_LT(mfu, 0.65) << "seed " << seed;
    EXPECT_GT(mfu, 0.20) << "seed " << seed;
  }
}

TEST(Simulate, TheHostRunsFarAhead) {
  const SimulatedJob done = run(job_of("h100_sxm", "nvlink", "llama_1b2", 8), 3);
  const trace::RankTrace& rank = done.trace.ranks[0];
  const trace::LaunchIndex launches(rank);
  std::vector<TimeNs> ahead_ns;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    if (rank.kind[i] != trace::SliceKind::compute) continue;
    const trace::SliceId launch = launches.launch_of(i);
    ASSERT_NE(launch, trace::kNoSlice);
    ahead_ns.push_back(rank.start_ns[i] - rank.start_ns[launch]);
  }
  std::ranges::sort(ahead_ns);
  EXPECT_GT(ahead_ns[ahead_ns.size() / 2], 10 * kNsPerMs);
  EXPECT_GE(ahead_ns.front(), 5'300);
}

TEST(Simulate, WithoutASyncTheQueueFillsAndLaunchesBlock) {
  Job job = job_of("h100_sxm", "nvlink", "llama_1b2", 8);
  job.sync_every_step = false;
  job.warmup_steps = 2;
  const SimulatedJob done = run(job, 3);
  const trace::RankTrace& rank = done.trace.ranks[0];
  TimeNs longest_ns = 0;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    if (trace::is_kernel_launch(rank.name_of(i))) longest_ns = std::max(longest_ns, rank.dur_ns[i]);
  }
  EXPECT_GT(longest_ns, kNsPerMs / 2);  // a launch waits for a kernel of the full queue to start
  expect_sound(done, 3);
}

// Min over ranks of a collective's length is its transfer, which the model gives up to noise and contention.
TEST(Simulate, TransfersFollowTheModel) {
  for (const std::string_view fabric : {"nvlink", "2x4:ib200x4", "2x4:eth100x2"}) {
    const Job job = job_of("h100_sxm", fabric, "llama_860m", 8);
    const SimulatedJob done = run(job, 5);
    std::map<int64_t, std::pair<TimeNs, int64_t>> shortest;  // sequence -> (ns, bytes)
    for (const trace::RankTrace& rank : done.trace.ranks) {
      for (const trace::CollectiveArgs& args : rank.collectives) {
        const auto [it, fresh] = shortest.try_emplace(args.sequence, rank.dur_ns[args.slice], trace::size_bytes(args));
        if (!fresh) it->second.first = std::min(it->second.first, rank.dur_ns[args.slice]);
      }
    }
    ASSERT_GT(shortest.size(), 40U);
    for (const auto& [sequence, found] : shortest) {
      const auto model_ns = static_cast<double>(
          hardware::transfer_ns(hardware::Collective::all_reduce, found.second, job.fabric, *job.gpu));
      const double contended_ns = model_ns / (done.comm_rate_permille / 1000.0);
      EXPECT_GE(static_cast<double>(found.first), model_ns * 0.95) << fabric << " seq " << sequence;
      EXPECT_LE(static_cast<double>(found.first), contended_ns * 1.05 + 1'200) << fabric << " seq " << sequence;
    }
  }
}

TEST(Simulate, KernelsNeverBeatTheRoofline) {
  const Job job = job_of("h100_sxm", "nvlink", "llama_1b2", 4);
  const SimulatedJob done = run(job, 9);
  const trace::RankTrace& rank = done.trace.ranks[0];
  int64_t checked = 0;
  for (const trace::OpArgs& op : rank.ops) {
    // "[[m,k],[k,n]]" of aten::mm against the kernel of the same external id.
    if (rank.name_of(op.slice) != "aten::mm" || rank.kind[op.slice] != trace::SliceKind::host_op) continue;
    long long m = 0, k = 0, k2 = 0, n = 0;
    const std::string shapes(rank.strings.view(op.shapes));
    ASSERT_EQ(std::sscanf(shapes.c_str(), "[[%lld,%lld],[%lld,%lld]]", &m, &k, &k2, &n), 4) << shapes;
    for (const trace::OpArgs& gpu : rank.ops) {
      if (gpu.external_id != op.external_id || rank.kind[gpu.slice] != trace::SliceKind::compute) continue;
      const double flop = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
      EXPECT_GE(static_cast<double>(rank.dur_ns[gpu.slice]), flop / job.gpu->bf16_flop_per_s * 1e9);
      ++checked;
      break;
    }
    if (checked > 60) break;
  }
  EXPECT_GT(checked, 50);
}

TEST(Simulate, SameSeedSameBytes) {
  const Job job = drawn_job(4);
  EXPECT_EQ(trace::hash_of(run(job, 4).trace), trace::hash_of(run(job, 4).trace));
  EXPECT_NE(trace::hash_of(run(job, 4).trace), trace::hash_of(run(job, 5).trace));
}

TEST(Simulate, LawRemovingTheFaultNeverLengthensTheStep) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Job job = drawn_job(seed);
    const SimulatedJob healthy = run(job, seed);
    const auto rank = static_cast<int64_t>(seed % 8);
    const SimulatedJob slow = run(job, seed, {slow_clock(rank, 800)});
    EXPECT_LE(healthy.mean_step_ns, slow.mean_step_ns) << "seed " << seed;
    EXPECT_GT(static_cast<double>(slow.mean_step_ns), 1.05 * static_cast<double>(healthy.mean_step_ns));
  }
}

TEST(Simulate, LawAFasterLinkNeverLengthensTheStep) {
  // A hundredth of the step is left to noise: the same draws fall on other kernels.
  const std::string_view fabrics[] = {"2x4:eth25x1", "2x4:eth100x1", "2x4:ib200x1",
                                      "2x4:ib200x4", "2x4:ib400x4",  "nvlink"};
  for (const std::string_view model : {"llama_860m", "gpt_450m"}) {
    for (uint64_t seed : {1, 2, 3}) {
      TimeNs before_ns = INT64_MAX / 2;
      for (const std::string_view fabric : fabrics) {
        const TimeNs now_ns = run(job_of("h100_sxm", fabric, model, 4), seed).mean_step_ns;
        EXPECT_LE(now_ns, before_ns + before_ns / 100) << model << " " << fabric << " seed " << seed;
        before_ns = now_ns;
      }
    }
  }
}

TEST(Simulate, AStragglersPeersWaitForIt) {
  const Job job = job_of("a100_80gb", "nvlink", "llama_1b2", 4);
  const SimulatedJob done = run(job, 2, {slow_clock(5, 750)});
  TimeNs comm_ns[8] = {};
  for (size_t rank = 0; rank < 8; ++rank) {
    const trace::RankTrace& trace = done.trace.ranks[rank];
    for (const trace::CollectiveArgs& args : trace.collectives) comm_ns[rank] += trace.dur_ns[args.slice];
  }
  for (size_t rank = 0; rank < 8; ++rank) {
    if (rank == 5) continue;
    EXPECT_GT(comm_ns[rank], 2 * comm_ns[5]) << "rank " << rank;
  }
}

FaultInstance slow_loader(int64_t workers, TimeNs batch_ns, int64_t rank = -1) {
  return {
      .fault = "slow_loader", .numbers = {{"workers", workers}, {"batch_ns", batch_ns}, {"rank", rank}}, .words = {}};
}

// The longest wait for a batch in the recorded steps of one rank.
TimeNs longest_wait_ns(const trace::RankTrace& rank) {
  TimeNs longest_ns = 0;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    if (rank.kind[i] == trace::SliceKind::loader) longest_ns = std::max(longest_ns, rank.dur_ns[i]);
  }
  return longest_ns;
}

TEST(Simulate, AStarvedStepTakesTheLoadersPeriod) {
  for (const bool sync : {true, false}) {
    Job job = job_of("h100_sxm", "nvlink", "llama_860m", 8);
    job.sync_every_step = sync;
    const TimeNs healthy_ns = run(job, 3).mean_step_ns;
    for (const int64_t rank : {-1, 5}) {
      const TimeNs period_ns = healthy_ns * 13 / 10;
      const SimulatedJob done = run(job, 3, {slow_loader(2, 2 * period_ns, rank)});
      EXPECT_NEAR(static_cast<double>(done.mean_step_ns), static_cast<double>(period_ns),
                  static_cast<double>(period_ns) * 0.02);
      expect_sound(done, 3);
      for (const trace::RankTrace& trace : done.trace.ranks) {
        const bool starved = rank < 0 || trace.rank == rank;
        EXPECT_EQ(longest_wait_ns(trace) > 5 * kNsPerMs, starved) << trace.rank;
        // The workers are other processes: no rows.
        for (const trace::Track& track : trace.tracks) EXPECT_NE(track.kind, trace::TrackKind::loader_worker);
      }
    }
  }
}

TEST(Simulate, ALoaderThatKeepsUpCostsNothing) {
  Job job = job_of("h100_sxm", "nvlink", "llama_860m", 8);
  const TimeNs healthy_ns = run(job, 4).mean_step_ns;
  job.loader = {.workers = 4, .batch_ns = 3 * healthy_ns};
  const SimulatedJob done = run(job, 4);
  EXPECT_NEAR(static_cast<double>(done.mean_step_ns), static_cast<double>(healthy_ns),
              static_cast<double>(healthy_ns) * 0.01);
  for (const trace::RankTrace& trace : done.trace.ranks) EXPECT_LE(longest_wait_ns(trace), 150'000);
}

// How many slices of one rank have `part` in their name.
int64_t count_named(const trace::RankTrace& rank, std::string_view part) {
  int64_t count = 0;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    count += rank.name_of(i).find(part) != std::string_view::npos ? 1 : 0;
  }
  return count;
}

TEST(Simulate, ARecompileHitsTheStepOfAnotherShape) {
  Job job = job_of("h100_sxm", "nvlink", "llama_860m", 8);
  job.execution = Execution::compiled;
  job.reshaped_step = 2;
  const SimulatedJob dynamic = run(job, 3);
  expect_sound(dynamic, 3);
  for (const int64_t rank : {-1, 5}) {
    const FaultInstance fault = {
        .fault = "recompile", .numbers = {{"compile_ns", kNsPerS}, {"rank", rank}}, .words = {}};
    const SimulatedJob done = run(job, 3, {fault});
    expect_sound(done, 3);
    EXPECT_NEAR(static_cast<double>(done.mean_step_ns - dynamic.mean_step_ns), static_cast<double>(kNsPerS) / 3,
                static_cast<double>(kNsPerS) * 0.03);
    for (const trace::RankTrace& trace : done.trace.ranks) {
      const int64_t hit = rank < 0 || trace.rank == rank ? 1 : 0;
      EXPECT_EQ(count_named(trace, "_compile.compile_inner"), hit);
      EXPECT_EQ(count_named(trace, "Torch-Compiled Region: 0/1"), hit);
      EXPECT_EQ(count_named(trace, "Torch-Compiled Region: 0/0"), 4 - hit);
      EXPECT_EQ(count_named(trace, "TorchDynamo Cache Lookup"), 4);
      EXPECT_GT(count_named(trace, "triton_poi_fused_"), 100);
    }
  }
}

TEST(Simulate, OnlyACompiledJobRecompiles) {
  const FaultInstance fault = {.fault = "recompile", .numbers = {{"compile_ns", kNsPerS}}, .words = {}};
  EXPECT_FALSE(simulate(job_of("h100_sxm", "nvlink", "gpt_250m", 4), {&fault, 1}, 1).has_value());
}

TEST(Simulate, OneRankHasNoCommunication) {
  Job job = job_of("h100_sxm", "nvlink", "gpt_250m", 4);
  job.fabric = hardware::parse_fabric("nvlink", 1, job.gpu).value_or(hardware::Fabric{});
  const SimulatedJob done = run(job, 1);
  ASSERT_EQ(done.trace.ranks.size(), 1U);
  EXPECT_TRUE(done.trace.ranks[0].collectives.empty());
  expect_sound(done, 1);
}

TEST(Simulate, AccumulationReducesOncePerStep) {
  Job job = job_of("h100_sxm", "nvlink", "llama_1b7", 4);
  const size_t once = run(job, 1).trace.ranks[0].collectives.size();
  job.accumulation = 2;
  const SimulatedJob done = run(job, 1);
  EXPECT_EQ(done.trace.ranks[0].collectives.size(), once);
  EXPECT_EQ(done.tokens_per_step, 2LL * 4 * 2048 * 8);
  expect_sound(done, 1);
}

TEST(Simulate, BadFaultsAreErrors) {
  const Job job = job_of("h100_sxm", "nvlink", "gpt_250m", 4);
  const std::vector<FaultInstance> bad = {
      {.fault = "no_such", .numbers = {}, .words = {}},
      slow_clock(8, 800),
      slow_clock(0, 5),
      slow_loader(0, kNsPerS),
      slow_loader(2, 0),
      slow_loader(2, kNsPerS, 8),
      {.fault = "slow_fabric", .numbers = {}, .words = {{"fabric", "carrier_pigeon"}}},
  };
  for (const FaultInstance& fault : bad) EXPECT_FALSE(simulate(job, {&fault, 1}, 1).has_value()) << fault.fault;
  const auto unknown = simulate(job, {bad.data(), 1}, 1);
  EXPECT_NE(unknown.error().message.find("slow_clock, slow_fabric"), std::string::npos) << unknown.error().text();
}

TEST(Simulate, SlowFabricIsTheSameJobOverAnotherLink) {
  const Job job = job_of("h100_sxm", "nvlink", "gpt_250m", 8);
  const FaultInstance slow = {.fault = "slow_fabric", .numbers = {}, .words = {{"fabric", "2x4:eth100x2"}}};
  Job same = job;
  same.fabric = hardware::parse_fabric("2x4:eth100x2", 8, job.gpu).value_or(hardware::Fabric{});
  EXPECT_EQ(trace::hash_of(run(job, 6, {slow}).trace), trace::hash_of(run(same, 6).trace));
}

}  // namespace
}  // namespace td::sim
