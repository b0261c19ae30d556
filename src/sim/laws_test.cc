// What must hold of every job, whatever its parallelism.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

using Kind = Parallelism::Kind;

Job job_of(Kind kind, std::string_view fabric) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric(fabric, kind == Kind::one_gpu ? 1 : 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("bytes_1b6");
  job.parallelism = {.kind = kind,
                     .stages = kind == Kind::pipeline ? 2 : 1,
                     .virtual_stages = kind == Kind::pipeline ? 2 : 1,
                     .stages_adjacent = false};
  job.accumulation = kind == Kind::pipeline ? 4 : 1;
  job.batch = 2;
  job.seq_len = 4096;
  job.recorded_steps = 2;
  return job;
}

TimeNs step_ns(const Job& job, const std::vector<FaultInstance>& faults, uint64_t seed) {
  const auto done = simulate(job, faults, seed);
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().text());
  if (!done) return 0;
  for (const trace::Violation& violation : trace::check_trace(done->trace, trace::Strictness::simulated)) {
    ADD_FAILURE() << violation.rule << ": " << violation.text;
  }
  return done->mean_step_ns;
}

constexpr std::array kSeveralRanks = {Kind::ddp, Kind::fsdp, Kind::pipeline};

// Up to jitter, which a changed order of events draws anew.
constexpr double kNoise = 1.004;

TEST(Laws, AFasterLinkNeverLengthensAStep) {
  for (const Kind kind : kSeveralRanks) {
    TimeNs slower_ns = INT64_MAX;
    for (const std::string_view fabric : {"2x4:eth100x1", "2x4:ib200x2", "2x4:ib400x4", "nvlink"}) {
      const TimeNs now_ns = step_ns(job_of(kind, fabric), {}, 3);
      EXPECT_LE(static_cast<double>(now_ns), static_cast<double>(slower_ns) * kNoise)
          << static_cast<int>(kind) << " " << fabric;
      slower_ns = now_ns;
    }
  }
}

TEST(Laws, RemovingAFaultNeverLengthensAStep) {
  const std::vector<std::vector<FaultInstance>> faults = {
      {{.fault = "slow_clock", .numbers = {{"rank", 3}, {"factor_permille", 700}}, .words = {}}},
      {{.fault = "slow_host", .numbers = {{"factor_permille", 200}}, .words = {}}},
      {{.fault = "overlap_off", .numbers = {}, .words = {{"form", "after_backward"}}}},
      {{.fault = "slow_fabric", .numbers = {}, .words = {{"fabric", "2x4:eth100x1"}}}},
  };
  for (const Kind kind : kSeveralRanks) {
    const Job job = job_of(kind, "2x4:ib400x4");
    const TimeNs healthy_ns = step_ns(job, {}, 5);
    for (const auto& fault : faults) {
      EXPECT_GE(static_cast<double>(step_ns(job, fault, 5)) * kNoise, static_cast<double>(healthy_ns))
          << static_cast<int>(kind) << " " << fault.front().fault;
    }
  }
}

// The same rank number, another rank: the step is as long, and the other rank is the one that computes longest.
TEST(Laws, RelabellingRanksRelabelsTheResult) {
  for (const Kind kind : kSeveralRanks) {
    const Job job = job_of(kind, "nvlink");
    std::vector<TimeNs> steps_ns;
    for (const int64_t rank : {1, 2}) {  // of one stage, where there are two
      const FaultInstance slow = {
          .fault = "slow_clock", .numbers = {{"rank", rank}, {"factor_permille", 750}}, .words = {}};
      const auto done = simulate(job, {&slow, 1}, 9);
      ASSERT_TRUE(done.has_value());
      std::vector<TimeNs> compute_ns;
      for (const trace::RankTrace& trace : done->trace.ranks) {
        compute_ns.push_back(0);
        for (trace::SliceId i = 0; i < trace.slice_count(); ++i) {
          if (trace.kind[i] == trace::SliceKind::compute) compute_ns.back() += trace.dur_ns[i];
        }
      }
      EXPECT_EQ(std::ranges::max_element(compute_ns) - compute_ns.begin(), rank) << static_cast<int>(kind);
      steps_ns.push_back(done->mean_step_ns);
    }
    EXPECT_NEAR(static_cast<double>(steps_ns[0]) / static_cast<double>(steps_ns[1]), 1.0, 0.02)
        << static_cast<int>(kind);
  }
}

TEST(Laws, OneGpuKnowsNoOtherRank) {
  const auto done = simulate(job_of(Kind::one_gpu, "nvlink"), {}, 2);
  ASSERT_TRUE(done.has_value()) << done.error().text();
  const trace::RankTrace& rank = done->trace.ranks.front();
  EXPECT_TRUE(rank.collectives.empty());
  EXPECT_TRUE(rank.groups.empty());
  for (const trace::Track& track : rank.tracks) {
    EXPECT_EQ(rank.strings.view(track.name).find("nccl"), std::string_view::npos);
  }
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    EXPECT_EQ(rank.name_of(i).find("nccl"), std::string_view::npos);
    EXPECT_EQ(rank.name_of(i).find("Distributed"), std::string_view::npos);
  }
}

TEST(Laws, TheSameSeedGivesTheSameStep) {
  for (const Kind kind : {Kind::one_gpu, Kind::ddp, Kind::fsdp, Kind::pipeline}) {
    const Job job = job_of(kind, "nvlink");
    EXPECT_EQ(step_ns(job, {}, 4), step_ns(job, {}, 4));
  }
}

}  // namespace
}  // namespace td::sim
