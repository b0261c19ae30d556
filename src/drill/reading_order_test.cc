// The stations of the reading order against the trace.
#include "drill/reading_order.h"

#include <gtest/gtest.h>

#include "drill/draw.h"

namespace td::drill {
namespace {

Interval common(const trace::RankTrace& rank, trace::SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

bool has_work_of(const trace::RankTrace& rank, Interval at, trace::SliceKind kind) {
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const Interval work = common(rank, slice);
    if (rank.kind[slice] == kind && work.begin_ns < at.end_ns && work.end_ns > at.begin_ns) return true;
  }
  return false;
}

bool is_busy(const trace::RankTrace& rank, Interval at) {
  return has_work_of(rank, at, trace::SliceKind::compute) || has_work_of(rank, at, trace::SliceKind::comm) ||
         has_work_of(rank, at, trace::SliceKind::copy);
}

// Each span is what its station says, on the trace that is shown: a gap is idle, a bar of the overlap is communication.
TEST(ReadingOrder, EveryStationPointsAtWhatItSays) {
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 50; seed < 52; ++seed) {
      SCOPED_TRACE(std::string(scenario.id) + " " + std::to_string(seed));
      const auto instance = simulate_instance(scenario, seed);
      ASSERT_TRUE(instance.has_value()) << instance.error().text();
      const Truth truth = make_truth(*instance);
      ASSERT_EQ(truth.read.size(), 4U);
      for (const ReadLine& line : truth.read) {
        EXPECT_LE(line.spans.size(), 6U);
        EXPECT_TRUE(!line.spans.empty() || line.id == "gaps" || line.id == "overlap") << line.id;
        for (const RowSpan& span : line.spans) {
          const trace::RankTrace& rank = instance->run.trace.ranks[static_cast<size_t>(span.rank)];
          ASSERT_LT(span.track, rank.tracks.size());
          EXPECT_GT(span.at.length_ns(), 0);
          EXPECT_GE(span.at.begin_ns, instance->run.steps.front().begin_ns);
          EXPECT_LE(span.at.end_ns, instance->run.steps.back().end_ns);
          if (line.id == "gaps") {
            EXPECT_FALSE(is_busy(rank, span.at));
          } else if (line.id == "overlap") {
            EXPECT_TRUE(has_work_of(rank, span.at, trace::SliceKind::comm));
          } else {
            EXPECT_TRUE(has_work_of(rank, span.at, trace::SliceKind::compute));
          }
        }
      }
      EXPECT_EQ(truth.read[0].id, "step");
      EXPECT_EQ(truth.read[3].id, "longest");
      EXPECT_EQ(truth.read[0].spans.front().at, instance->traced_measure.steps.front());
    }
  }
}

}  // namespace
}  // namespace td::drill
