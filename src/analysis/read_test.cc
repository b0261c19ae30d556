#include "analysis/read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "analysis/testing/tiny_trace.h"
#include "base/random.h"

namespace td::analysis {
namespace {

using testing::job;
using testing::TinyRank;
using testing::us;
using trace::SliceKind;

// "straggler rank=2 cost_us=190..210": the main finding's cause, and what else is claimed of it.
::testing::AssertionResult has_finding(const Reading& reading, const std::string& claim) {
  std::istringstream words(claim);
  std::string cause;
  words >> cause;
  if (reading.findings.empty()) return ::testing::AssertionFailure() << "no finding at all";
  const Finding& main = reading.findings.front();
  std::string also;
  for (const Finding& finding : reading.findings) also += " " + finding.cause;
  if (main.cause != cause) return ::testing::AssertionFailure() << "the findings are:" << also;
  const auto within = [](int64_t value, const std::string& range) {
    const size_t dots = range.find("..");
    return value >= std::stoll(range.substr(0, dots)) && value <= std::stoll(range.substr(dots + 2));
  };
  for (std::string word; words >> word;) {
    const std::string key = word.substr(0, word.find('='));
    const std::string value = word.substr(word.find('=') + 1);
    if (key == "cost_us" && !within(main.cost_ns_per_step.value_or(-1) / kNsPerUs, value))
      return ::testing::AssertionFailure() << "cost " << main.cost_ns_per_step.value_or(-1) / kNsPerUs << " us";
    if (key == "win_percent" && !within(static_cast<int64_t>(main.what_if->win_frac * 100.0 + 0.5), value))
      return ::testing::AssertionFailure() << "win " << main.what_if->win_frac;
    if (key == "rank" && reading.collectives.last_arrival.rank != std::stoi(value))
      return ::testing::AssertionFailure() << "rank " << reading.collectives.last_arrival.rank.value_or(-1);
    if (key == "rules_out") {
      bool found = false;
      for (const RuledOut& out : main.ruled_out) found = found || out.cause == value;
      if (!found) return ::testing::AssertionFailure() << value << " is not ruled out";
    }
  }
  return ::testing::AssertionSuccess();
}

constexpr int64_t kKernels = 20;

// A DDP job: forward, then backward in which `buckets` all-reduces start, one each time its share of backward is done,
// then an optimizer. Times in us; rank r computes stretch[r] percent as long.
struct Ddp {
  int64_t forward_us = 400;
  int64_t backward_us = 800;
  int64_t optimizer_us = 50;
  int64_t buckets = 4;
  int64_t transfer_us = 40;      // of one bucket, once all ranks are there
  int64_t elements = 6'553'600;  // fp32: 25 MiB a bucket
  trace::DType dtype = trace::DType::float32;
  bool after_backward = false;
  std::vector<int64_t> stretch_percent = {100, 100, 100, 100};
  std::vector<int64_t> wait_us = {0, 0, 0, 0};  // for the batch, at the start of each step
  SliceKind wait_kind = SliceKind::loader;
  std::string_view wait_call = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
};

std::vector<trace::RankTrace> ddp_job(const Ddp& ddp) {
  const auto world_size = static_cast<int32_t>(ddp.stretch_percent.size());
  std::vector<TinyRank> ranks;
  for (int32_t r = 0; r < world_size; ++r) {
    ranks.emplace_back(r, world_size);
    ranks.back().step(0, 0, 10).kernel("warm", 0, 5, 10);
  }
  int64_t begin_us = 10;
  for (int64_t step = 1; step <= 4; ++step) {
    const auto ready_us = [&](size_t r, int64_t bucket) {
      const int64_t share = ddp.after_backward ? ddp.backward_us : ddp.backward_us * (bucket + 1) / ddp.buckets;
      return begin_us + ddp.wait_us[r] + (ddp.forward_us + share) * ddp.stretch_percent[r] / 100;
    };
    std::vector<int64_t> ends;
    int64_t free_us = 0;
    for (int64_t b = 0; b < ddp.buckets; ++b) {
      for (size_t r = 0; r < ranks.size(); ++r) free_us = std::max(free_us, ready_us(r, b));
      free_us += ddp.transfer_us;
      ends.push_back(free_us);
    }
    const int64_t end_us = free_us + ddp.optimizer_us;
    for (size_t r = 0; r < ranks.size(); ++r) {
      TinyRank& rank = ranks[r];
      rank.step(step, begin_us, end_us);
      // Host launches at once, in order: forward, then each share of backward with its bucket behind it.
      const int64_t batch_us = begin_us + ddp.wait_us[r];
      if (ddp.wait_us[r] > 0) rank.host(ddp.wait_kind, ddp.wait_call, begin_us, batch_us);
      int64_t launch_us = batch_us;
      int64_t at_us = batch_us;
      const auto compute = [&](const char* name, int64_t until_us, int64_t pieces) {
        for (int64_t k = 0; k < pieces; ++k) {
          const int64_t next_us = at_us + (until_us - at_us) / (pieces - k);
          rank.kernel(name, launch_us, at_us, next_us);
          at_us = next_us;
        }
      };
      compute("forward", batch_us + ddp.forward_us * ddp.stretch_percent[r] / 100, kKernels);
      int64_t stream_free_us = 0;
      for (int64_t b = 0; b < ddp.buckets; ++b) {
        const int64_t share_end_us =
            batch_us + (ddp.forward_us + ddp.backward_us * (b + 1) / ddp.buckets) * ddp.stretch_percent[r] / 100;
        launch_us += 1;
        compute("backward", share_end_us, kKernels / 4);
        if (!ddp.after_backward) {
          launch_us += 1;
          const int64_t start_us = std::max(stream_free_us, ready_us(r, b));
          rank.all_reduce(launch_us, start_us, ends[static_cast<size_t>(b)], ddp.elements, ddp.dtype);
          stream_free_us = ends[static_cast<size_t>(b)];
        }
      }
      launch_us += 1;
      for (int64_t b = 0; ddp.after_backward && b < ddp.buckets; ++b) {
        const int64_t start_us = std::max(stream_free_us, ready_us(r, b));
        rank.all_reduce(launch_us, start_us, ends[static_cast<size_t>(b)], ddp.elements, ddp.dtype);
        stream_free_us = ends[static_cast<size_t>(b)];
      }
      launch_us += 1;
      rank.kernel("optimizer", launch_us, free_us, end_us);
    }
    begin_us = end_us;
  }
  std::vector<trace::RankTrace> out;
  for (TinyRank& rank : ranks) out.push_back(rank.build());
  return out;
}

// Facts whose fabric needs `expected_us` for one bucket: NVLink inside one node of four H100.
Facts nvlink() {
  Facts facts;
  facts.gpu = hardware::find_gpu("h100_sxm");
  facts.fabric = *hardware::parse_fabric("nvlink", 4, facts.gpu);
  return facts;
}

int64_t bucket_on_nvlink_us(const Ddp& ddp, int64_t times) {
  const Facts facts = nvlink();
  const int64_t bytes = ddp.elements * trace::size_bytes(ddp.dtype);
  return times *
         (hardware::transfer_ns(hardware::Collective::all_reduce, bytes, *facts.fabric, *facts.gpu) / kNsPerUs + 1);
}

TEST(Read, HealthyJob) {
  Ddp ddp;
  ddp.transfer_us = 20;  // 20 of 1270 us exposed: the last bucket
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  EXPECT_TRUE(has_finding(reading, "healthy cost_us=0..0 rules_out=straggler"));
  EXPECT_EQ(reading.findings.size(), 1u);
}

TEST(Read, StragglerIsFoundByItsLateness) {
  Ddp ddp;
  ddp.stretch_percent = {100, 100, 125, 100};
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  // (400 + 800) x 25 % = 300 us later than the others.
  EXPECT_TRUE(has_finding(reading, "straggler rank=2 cost_us=290..310 rules_out=bandwidth_bound_collective"));
  EXPECT_EQ(reading.findings.size(), 1u);
  EXPECT_GT(reading.findings[0].confidence, 0.8);
}

TEST(Read, HiddenWaitingCountsAsLateness) {
  // Eight buckets that keep the stream busy nine tenths of backward: the others wait under their own compute, and at
  // its end they are behind with the transfers.
  Ddp ddp;
  ddp.buckets = 8;
  ddp.transfer_us = 90;
  ddp.stretch_percent = {100, 125, 100, 100};
  const Reading reading = read(job(ddp_job(ddp)));
  EXPECT_TRUE(has_finding(reading, "straggler rank=1"));
}

TEST(Read, BandwidthBoundNeedsTheFabric) {
  Ddp ddp;
  ddp.transfer_us = bucket_on_nvlink_us(ddp, 1);
  ddp.backward_us = ddp.transfer_us * 2;  // four buckets, half of which backward can hide
  ddp.forward_us = ddp.backward_us / 2;
  const trace::Trace trace = job(ddp_job(ddp));
  EXPECT_TRUE(has_finding(read(trace, nvlink()), "bandwidth_bound_collective rules_out=straggler"));
  const Reading blind = read(trace);
  EXPECT_TRUE(has_finding(blind, "inconclusive"));
  EXPECT_NE(blind.findings[0].confirm.find("--fabric"), std::string::npos);
}

TEST(Read, BandwidthWhatIfReplaysHalfTheBytes) {
  Ddp ddp;
  ddp.transfer_us = bucket_on_nvlink_us(ddp, 1);
  ddp.backward_us = ddp.transfer_us * 2;
  ddp.forward_us = ddp.backward_us / 2;
  const Facts facts = nvlink();
  const Reading reading = read(job(ddp_job(ddp)), facts);
  // Buckets are ready at 1/4, 2/4, 3/4 and 4/4 of backward = 2 t, so every half t. At t each, the last ends at
  // t/2 + 4 t; at t' each with t' > t/2, at t/2 + 4 t'. Gain 4 (t - t'), by the fabric's own curve.
  const int64_t bytes = ddp.elements * 4;
  const auto transfer = [&](int64_t size) {
    return static_cast<double>(
        hardware::transfer_ns(hardware::Collective::all_reduce, size, *facts.fabric, *facts.gpu));
  };
  const double ratio = transfer(bytes / 2) / transfer(bytes);
  ASSERT_GT(ratio, 0.5);
  const double gain_us = 4.0 * static_cast<double>(ddp.transfer_us) * (1.0 - ratio);
  const double step_us = static_cast<double>(reading.ledgers[0].step_ns) / 1e3;
  EXPECT_NEAR(reading.findings[0].what_if->win_frac, gain_us / step_us, 0.01);
}

TEST(Read, SlowerThanTheFabricIsNotCalledBandwidthBound) {
  Ddp ddp;
  ddp.transfer_us = bucket_on_nvlink_us(ddp, 2);
  ddp.backward_us = ddp.transfer_us * 2;
  EXPECT_TRUE(has_finding(read(job(ddp_job(ddp)), nvlink()), "inconclusive"));
}

TEST(Read, SeveralTimesSlowerThanTheFabricIsAnotherTransport) {
  Ddp ddp;
  ddp.transfer_us = bucket_on_nvlink_us(ddp, 5);
  ddp.backward_us = ddp.transfer_us * 2;
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  EXPECT_EQ(reading.findings[0].cause, "transport_fallback");
  EXPECT_FALSE(has_finding(reading, "bandwidth_bound_collective"));
}

TEST(Read, ReductionAfterBackwardIsUnoverlapped) {
  Ddp ddp;
  ddp.after_backward = true;
  ddp.transfer_us = 100;
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  // 400 us of 1650 exposed; 85 % could hide behind backward.
  EXPECT_TRUE(has_finding(reading, "unoverlapped_allreduce cost_us=335..345 rules_out=straggler"));
}

// Steps of `compute_us` that begin with a loader wait of `wait_us`.
trace::RankTrace loading_job(int64_t wait_us, int64_t compute_us) {
  TinyRank rank;
  rank.step(0, 0, 10).kernel("a", 0, 5, 10);
  int64_t at = 10;
  for (int64_t step = 1; step <= 4; ++step) {
    rank.step(step, at, at + wait_us + compute_us);
    rank.host(SliceKind::loader, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at, at + wait_us);
    const int64_t first = at + wait_us + 6;
    for (int64_t k = 0; k < kKernels; ++k)
      rank.kernel("a", at + wait_us + k, first + k * (compute_us - 6) / kKernels,
                  first + (k + 1) * (compute_us - 6) / kKernels);
    at += wait_us + compute_us;
  }
  return rank.build();
}

TEST(Read, LoaderWaitThatTheDeviceFeelsIsStarvation) {
  EXPECT_TRUE(has_finding(read(job(loading_job(300, 700))),
                          "input_starvation cost_us=295..300 win_percent=29..31 rules_out=recompilation"));
}

// The others wait for rank 2 in their collectives, but what it is late for is its batch.
TEST(Read, OneStarvedRankIsNoStraggler) {
  Ddp ddp;
  ddp.wait_us = {0, 0, 300, 0};
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  EXPECT_EQ(reading.collectives.last_arrival.kind, LastArrivalKind::always_rank);
  EXPECT_TRUE(has_finding(reading, "input_starvation cost_us=290..302 rank=2 rules_out=straggler"));
  EXPECT_EQ(reading.findings.size(), 1u);
}

// A rank whose kernels are slower by more than it waits for its batches is a straggler all the same.
TEST(Read, ASlowRankThatAlsoWaitsForItsBatchIsAStraggler) {
  Ddp ddp;
  ddp.wait_us = {0, 0, 100, 0};
  ddp.stretch_percent = {100, 100, 125, 100};
  EXPECT_TRUE(has_finding(read(job(ddp_job(ddp)), nvlink()), "straggler rank=2"));
}

TEST(Read, AllRanksStarvedIsStarvationToo) {
  Ddp ddp;
  ddp.wait_us = {300, 300, 300, 300};
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  EXPECT_TRUE(has_finding(reading, "input_starvation cost_us=290..302"));
  EXPECT_EQ(reading.findings.size(), 1u);
}

// Five steps of 20 kernels; in each of `hit` the thread compiles for `compile_us` before it launches, and, if it is a
// new shape that made it, the step's kernels have other grids.
trace::RankTrace compiling_job(const std::vector<int64_t>& hit, int64_t compile_us, bool new_shape = true) {
  TinyRank rank;
  rank.step(0, 0, 10).kernel("a", 0, 5, 10);
  int64_t at = 10;
  for (int64_t step = 1; step <= 5; ++step) {
    const bool compiles = std::ranges::find(hit, step) != hit.end();
    const int64_t wait_us = compiles ? compile_us : 0;
    rank.step(step, at, at + wait_us + 1000);
    if (compiles)
      rank.host(SliceKind::host_op, "_compile.compile_inner (dynamo_timed)", at, at + wait_us)
          .host(SliceKind::host_op, "inductor_compile", at + wait_us / 3, at + wait_us / 2);
    for (int64_t k = 0; k < kKernels; ++k)
      rank.kernel("a", at + wait_us + k, at + wait_us + 6 + k * 49, at + wait_us + 6 + (k + 1) * 49,
                  compiles && new_shape ? 7 : 8);
    at += wait_us + 1000;
  }
  return rank.build();
}

TEST(Read, ACompileInsideAStepIsARecompilation) {
  // 6000 us in one of five steps.
  const Reading reading = read(job(compiling_job({3}, 6000)));
  EXPECT_TRUE(has_finding(reading, "recompilation cost_us=1190..1205 rules_out=input_starvation"));
  EXPECT_EQ(reading.findings.size(), 1u);
  EXPECT_NE(reading.findings[0].evidence[0].text.find("1 of 5 steps are hit, and only steps whose kernels"),
            std::string::npos)
      << reading.findings[0].evidence[0].text;
}

// A guard that fails every step: what the thread does decides, not how often.
TEST(Read, ACompileInEveryStepIsARecompilationToo) {
  EXPECT_TRUE(has_finding(read(job(compiling_job({1, 2, 3, 4, 5}, 600, false))), "recompilation"));
}

TEST(Read, ACompileInTheFirstStepAloneIsWarmup) {
  const Reading reading = read(job(compiling_job({1}, 6000)));
  for (const Finding& finding : reading.findings) EXPECT_NE(finding.cause, "recompilation");
}

TEST(Read, ShortCompilesAreNone) {
  for (const Finding& finding : read(job(compiling_job({2, 4}, 60))).findings)
    EXPECT_NE(finding.cause, "recompilation");
}

// The others wait for the rank that compiles in each step, which is no straggler.
TEST(Read, OneCompilingRankIsNoStraggler) {
  Ddp ddp;
  ddp.wait_us = {0, 300, 0, 0};
  ddp.wait_call = "_compile.compile_inner (dynamo_timed)";
  ddp.wait_kind = SliceKind::host_op;
  const Reading reading = read(job(ddp_job(ddp)), nvlink());
  EXPECT_TRUE(has_finding(reading, "recompilation cost_us=290..302 rank=1"));
  EXPECT_EQ(reading.findings.size(), 1u);
}

TEST(Read, ShortLoaderWaitIsHealthy) { EXPECT_TRUE(has_finding(read(job(loading_job(5, 3000))), "healthy")); }

TEST(Read, GapsEverywhereAreLaunchBound) {
  TinyRank rank;
  int64_t at = 0;
  for (int64_t step = 0; step < 5; ++step) {
    rank.step(step, at, at + kKernels * 40);
    for (int64_t k = 0; k < kKernels; ++k, at += 40) {
      rank.host(SliceKind::host_op, "aten::add", at, at + 30);
      rank.kernel("add", at + 20, at + 26, at + 36);
    }
  }
  // 40 us a kernel of which 10 are work: as a graph 11.
  EXPECT_TRUE(has_finding(read(job(rank.build())), "launch_bound win_percent=72..73 rules_out=sync_stalls"));
}

TEST(Read, GapAfterEachSyncIsASyncStall) {
  TinyRank rank;
  int64_t at = 0;
  for (int64_t step = 0; step < 5; ++step, at += 1000) {
    rank.step(step, at, at + 1000);
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t base = at + half * 500;
      for (int64_t k = 0; k < 10; ++k) rank.kernel("a", base + k, base + 6 + k * 40, base + 6 + (k + 1) * 40);
      rank.host(SliceKind::runtime, "cudaStreamSynchronize", base + 20, base + 410);
    }
  }
  // 94 us from the drained queue to the next launch and 6 us of latency, twice a step.
  EXPECT_TRUE(has_finding(read(job(rank.build())), "sync_stalls cost_us=180..200 rules_out=launch_bound"));
}

TEST(Read, NoGpuActivityIsUnreadable) {
  TinyRank rank;
  rank.step(0, 0, 100).host(SliceKind::host_op, "aten::mm", 10, 50);
  const Reading reading = read(job(rank.build()));
  EXPECT_EQ(reading.trust.verdict, Verdict::unreadable);
  EXPECT_TRUE(has_finding(reading, "inconclusive"));
  EXPECT_EQ(reading.whole.span_ns, std::nullopt);
  EXPECT_EQ(reading.steps.median_ns, std::nullopt);
}

TEST(Read, LostKernelsForbidADiagnosis) {
  TinyRank rank;
  int64_t at = 0;
  for (int64_t step = 0; step < 5; ++step) {
    rank.step(step, at, at + kKernels * 40);
    for (int64_t k = 0; k < kKernels; ++k, at += 40) {
      rank.kernel("add", at + 20, at + 26, at + 36);
      rank.lost_launch(at + 30).lost_launch(at + 34);
    }
  }
  const Reading reading = read(job(rank.build()));
  EXPECT_EQ(reading.trust.verdict, Verdict::unreadable);
  EXPECT_TRUE(has_finding(reading, "inconclusive"));
}

TEST(Read, EmptyTraceIsReadToo) {
  EXPECT_TRUE(has_finding(read(trace::Trace{}), "inconclusive"));
  std::vector<trace::RankTrace> ranks(1);
  EXPECT_TRUE(has_finding(read(trace::assemble(std::move(ranks))), "inconclusive"));
}

// What every reading must obey.
void expect_sound(const Reading& reading) {
  for (const Ledger& ledger : reading.ledgers) {
    EXPECT_EQ(ledger.compute_ns + ledger.exposed_comm_ns + ledger.exposed_copy_ns + ledger.idle_ns, ledger.step_ns);
    TimeNs gaps_ns = 0;
    for (const GapGroup& group : ledger.gaps) gaps_ns += group.total_ns;
    EXPECT_EQ(gaps_ns, ledger.idle_ns);
    if (ledger.comm_wait_ns) {
      EXPECT_EQ(*ledger.comm_wait_ns + *ledger.comm_transfer_ns, ledger.exposed_comm_ns);
    }
    for (const StepLedger& row : ledger.per_step)
      EXPECT_EQ(row.compute_ns + row.exposed_comm_ns + row.exposed_copy_ns + row.idle_ns, row.step_ns);
  }
  EXPECT_FALSE(reading.findings.empty());
  for (const Finding& finding : reading.findings) {
    EXPECT_GE(finding.confidence, 0.0);
    EXPECT_LE(finding.confidence, 1.0);
  }
}

TEST(ReadLaws, PartsAddUp) {
  Ddp ddp;
  ddp.stretch_percent = {100, 113, 101, 97};
  expect_sound(read(job(ddp_job(ddp)), nvlink()));
  expect_sound(read(job(loading_job(333, 777))));
}

trace::Trace shifted(std::vector<trace::RankTrace> ranks, TimeNs by_ns) {
  for (trace::RankTrace& rank : ranks) rank.base_time_ns += by_ns;
  return job(std::move(ranks));
}

TEST(ReadLaws, ShiftingAllClocksShiftsNothingElse) {
  Ddp ddp;
  ddp.stretch_percent = {100, 100, 125, 100};
  const Reading here = read(shifted(ddp_job(ddp), 0));
  const Reading there = read(shifted(ddp_job(ddp), 1'767'189'312'000'000'000));
  ASSERT_EQ(here.findings.size(), there.findings.size());
  EXPECT_EQ(here.findings[0].cause, there.findings[0].cause);
  EXPECT_EQ(here.findings[0].cost_ns_per_step, there.findings[0].cost_ns_per_step);
  ASSERT_EQ(here.steps.items.size(), there.steps.items.size());
  for (size_t i = 0; i < here.steps.items.size(); ++i)
    EXPECT_EQ(here.steps.items[i].start_ns, there.steps.items[i].start_ns);
}

TEST(ReadLaws, RelabellingRanksRelabelsFindings) {
  for (size_t late = 0; late < 4; ++late) {
    Ddp ddp;
    ddp.stretch_percent[late] = 125;
    const Reading reading = read(job(ddp_job(ddp)), nvlink());
    EXPECT_TRUE(has_finding(reading, "straggler cost_us=290..310 rank=" + std::to_string(late)));
  }
}

// Anything at all on one rank: nested or not, on any track, with correlations that meet or do not.
trace::RankTrace random_rank(RandomStream& random, int32_t rank_number) {
  trace::RankTraceBuilder builder;
  builder.header().rank = rank_number;
  builder.header().world_size = static_cast<int32_t>(random.uniform_int(-1, 4));
  for (int64_t t = random.uniform_int(1, 5); t > 0; --t) {
    trace::Track track;
    track.kind = static_cast<trace::TrackKind>(random.uniform_int(0, static_cast<int64_t>(trace::TrackKind::other)));
    track.device = static_cast<int32_t>(random.uniform_int(-1, 1));
    builder.add_track(track);
  }
  constexpr std::array<std::string_view, 12> kNames = {"ProfilerStep#1",
                                                       "ProfilerStep#2",
                                                       "cudaLaunchKernel",
                                                       "cudaGraphLaunch",
                                                       "cudaStreamSynchronize",
                                                       "cudaMalloc",
                                                       "gemm",
                                                       "ncclDevKernel_AllReduce_Sum",
                                                       "enumerate(DataLoader)#x.__next__",
                                                       "Memcpy DtoH",
                                                       "cudaMemcpyAsync",
                                                       ""};
  const auto tracks = static_cast<int64_t>(builder.header().tracks.size());
  for (int64_t i = random.uniform_int(0, 60); i > 0; --i) {
    const auto kind = static_cast<SliceKind>(random.uniform_int(0, static_cast<int64_t>(SliceKind::other)));
    const trace::SliceId slice =
        builder.add_slice(static_cast<trace::TrackId>(random.uniform_int(0, tracks - 1)), kind,
                          builder.intern(kNames[static_cast<size_t>(random.uniform_int(0, 11))]),
                          random.uniform_int(0, 400) * 500, random.uniform_int(0, 60) * 500, random.uniform_int(0, 20));
    if (kind == SliceKind::comm && random.uniform_int(0, 1) == 1) {
      trace::CollectiveArgs args;
      args.slice = slice;
      args.group_size = static_cast<int32_t>(random.uniform_int(-1, 4));
      args.in_count = random.uniform_int(-1, 1000);
      args.dtype = trace::DType::float32;
      args.sequence = random.uniform_int(-1, 3);
      builder.add(args);
    }
  }
  return builder.finish();
}

TEST(ReadLaws, AnyTraceIsReadAndAddsUp) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, "test.any_trace");
    std::vector<trace::RankTrace> ranks;
    for (int64_t r = random.uniform_int(1, 4); r > 0; --r)
      ranks.push_back(random_rank(random, static_cast<int32_t>(r)));
    expect_sound(read(job(std::move(ranks)), seed % 2 == 0 ? nvlink() : Facts{}));
  }
}

// Runs bodies backwards: the result must not depend on who is measured first.
class BackwardExecutor final : public Executor {
 public:
  void parallel_for(size_t count, const std::function<void(size_t)>& body) override {
    for (size_t i = count; i > 0; --i) body(i - 1);
  }
};

TEST(ReadLaws, ExecutorDoesNotChangeTheReading) {
  Ddp ddp;
  ddp.stretch_percent = {100, 100, 125, 100};
  const trace::Trace trace = job(ddp_job(ddp));
  BackwardExecutor backward;
  const Reading one = read(trace, nvlink());
  const Reading other = read(trace, nvlink(), &backward);
  EXPECT_EQ(one.findings[0].cause, other.findings[0].cause);
  EXPECT_EQ(one.findings[0].evidence[0].text, other.findings[0].evidence[0].text);
  EXPECT_EQ(one.ledgers[2].compute_ns, other.ledgers[2].compute_ns);
}

}  // namespace
}  // namespace td::analysis
