// Each drill can be solved from what it shows: its ranks are written to files, read back, and analysed with the stated
// facts alone, and the reading names the injected cause.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "analysis/facts.h"
#include "analysis/read.h"
#include "base/io.h"
#include "drill/drill.h"
#include "formats/format.h"
#include "trace/check_trace.h"

namespace td {
namespace {

// A sanitizer's build looks for bad memory, ten times slower; the share of right readings is the plain build's to tell.
#ifdef TD_SANITIZED
constexpr int kSeedsPerScenario = 4;
#else
constexpr int kSeedsPerScenario = 40;
#endif

const formats::Format& chrome_json() {
  for (const formats::Format& format : formats::registered_formats()) {
    if (format.id == "chrome_json") return format;
  }
  ADD_FAILURE() << "no chrome_json format";
  std::abort();
}

// Written one file a rank, and read back from memory.
Result<trace::Trace> through_files(const trace::Trace& trace) {
  std::vector<trace::RankTrace> ranks;
  NoProgress progress;
  for (const trace::RankTrace& rank : trace.ranks) {
    std::string bytes;
    StringSink sink(bytes);
    const std::vector<const trace::RankTrace*> one = {&rank};
    TRY_OK(chrome_json().write(one, sink));
    MemorySource source(bytes, "rank" + std::to_string(rank.rank) + ".json");
    std::vector<trace::RankTrace> read = TRY(formats::read_any(source, progress));
    for (trace::RankTrace& read_rank : read) ranks.push_back(std::move(read_rank));
  }
  return trace::assemble(std::move(ranks));
}

Result<analysis::Reading> read_exercise(const drill::Exercise& exercise) {
  // The facts travel as text too, as in drill.json.
  const Json facts_json = TRY(parse_json(exercise.facts_json.dump()));
  const analysis::Facts facts = TRY(analysis::facts_from_json(facts_json));
  const trace::Trace trace = TRY(through_files(exercise.trace));
  return analysis::read(trace, facts);
}

// A learner who answers what the reading calls lateness is right.
void expect_lateness_right(const drill::Truth& truth, const analysis::Reading& reading) {
  ASSERT_TRUE(reading.collectives.last_arrival.lateness_ns.has_value());
  drill::Answer answer;
  answer.diagnosis = truth.cause;
  answer.number_millionths = *reading.collectives.last_arrival.lateness_ns;  // 1 ms = 1e6 ns
  const drill::Part number = drill::grade(truth, answer).parts[2];
  EXPECT_EQ(number.id, "number");
  EXPECT_EQ(number.grade, drill::Grade::right) << *answer.number_millionths << " against " << number.truth;
}

void expect_solvable(const char* scenario_id) {
  const drill::Scenario* scenario = drill::find_scenario(scenario_id);
  ASSERT_NE(scenario, nullptr);
  int right = 0;
  for (uint64_t seed = 1; seed <= kSeedsPerScenario; ++seed) {
    const auto generated = drill::generate(*scenario, seed);
    ASSERT_TRUE(generated.has_value()) << generated.error().text();
    const auto violations = trace::check_trace(generated->exercise.trace, trace::Strictness::simulated);
    EXPECT_TRUE(violations.empty()) << "seed " << seed << ": " << violations.front().text;
    const auto reading = read_exercise(generated->exercise);
    ASSERT_TRUE(reading.has_value()) << reading.error().text();
    ASSERT_FALSE(reading->findings.empty()) << "seed " << seed;
    const bool named = reading->findings.front().cause == scenario->cause;
    if (!named)
      std::printf("seed %d: read as %s; %s win %d\n", static_cast<int>(seed), reading->findings.front().cause.c_str(),
                  generated->exercise.facts_json.dump().c_str(), static_cast<int>(generated->truth.win.win_millionths));
    right += named ? 1 : 0;
    if (scenario->cause == "straggler") expect_lateness_right(generated->truth, *reading);
  }
  std::printf("%s: %d of %d named\n", scenario_id, right, kSeedsPerScenario);
  // At most one in twenty reads as something else, rounded up where there are few.
  EXPECT_GE(right, kSeedsPerScenario - (kSeedsPerScenario + 19) / 20) << scenario_id;
}

TEST(Solvable, Healthy) { expect_solvable("healthy"); }
TEST(Solvable, StragglerClock) { expect_solvable("straggler_clock"); }
TEST(Solvable, BandwidthFabric) { expect_solvable("bandwidth_fabric"); }
TEST(Solvable, OverlapOff) { expect_solvable("overlap_off"); }
TEST(Solvable, MathAttention) { expect_solvable("math_attention"); }
TEST(Solvable, StarvedLoader) { expect_solvable("starved_loader"); }
TEST(Solvable, RecompileShape) { expect_solvable("recompile_shape"); }
TEST(Solvable, SyncMetrics) { expect_solvable("sync_metrics"); }
TEST(Solvable, StragglerHbm) { expect_solvable("straggler_hbm"); }
TEST(Solvable, StragglerData) { expect_solvable("straggler_data"); }
TEST(Solvable, BandwidthFp32) { expect_solvable("bandwidth_fp32"); }
TEST(Solvable, FragmentedPool) { expect_solvable("fragmented_pool"); }
TEST(Solvable, FewMicrobatches) { expect_solvable("few_microbatches"); }
TEST(Solvable, NoInterleaving) { expect_solvable("no_interleaving"); }
TEST(Solvable, SlowHosts) { expect_solvable("slow_hosts"); }

}  // namespace
}  // namespace td
