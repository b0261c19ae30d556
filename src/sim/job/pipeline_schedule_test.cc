#include "sim/job/pipeline_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace td::sim {
namespace {

std::string text(const std::vector<PipelineOp>& ops) {
  std::string out;
  for (const PipelineOp& op : ops) {
    out += (out.empty() ? "" : " ") + std::string(op.forward ? "F" : "B");
    if (op.chunk > 0) out += std::to_string(op.chunk) + ".";
    out += std::to_string(op.microbatch);
  }
  return out;
}

TEST(PipelineSchedule, FourStagesSixMicrobatches) {
  EXPECT_EQ(text(pipeline_schedule(0, 4, 1, 6)), "F0 F1 F2 F3 B0 F4 B1 F5 B2 B3 B4 B5");
  EXPECT_EQ(text(pipeline_schedule(2, 4, 1, 6)), "F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 B5");
  EXPECT_EQ(text(pipeline_schedule(3, 4, 1, 6)), "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5");
}

TEST(PipelineSchedule, FewerMicrobatchesThanStages) {
  EXPECT_EQ(text(pipeline_schedule(0, 4, 1, 2)), "F0 F1 B0 B1");
  EXPECT_EQ(text(pipeline_schedule(3, 4, 1, 1)), "F0 B0");
}

TEST(PipelineSchedule, InterleavedGoesRoundInGroups) {
  EXPECT_EQ(text(pipeline_schedule(0, 2, 2, 4)), "F0 F1 F1.0 F1.1 F2 B1.0 F3 B1.1 F1.2 B0 F1.3 B1 B1.2 B1.3 B2 B3");
  EXPECT_EQ(text(pipeline_schedule(1, 2, 2, 4)), "F0 F1 F1.0 B1.0 F1.1 B1.1 F2 B0 F3 B1 F1.2 B1.2 F1.3 B1.3 B2 B3");
}

// Whatever the shape: each microbatch goes once through each chunk and back, forward first, in order.
TEST(PipelineSchedule, EveryMicrobatchGoesThroughEveryChunk) {
  for (const int32_t stages : {2, 3, 4, 8}) {
    for (const int32_t virtual_stages : {1, 2, 4}) {
      for (const int32_t microbatches : {stages, 2 * stages, 4 * stages}) {
        for (int32_t stage = 0; stage < stages; ++stage) {
          std::map<std::pair<int32_t, int32_t>, int> state;
          std::map<int32_t, int32_t> next_forward;
          for (const PipelineOp& op : pipeline_schedule(stage, stages, virtual_stages, microbatches)) {
            int& now = state[{op.chunk, op.microbatch}];
            EXPECT_EQ(now, op.forward ? 0 : 1);
            ++now;
            if (op.forward) {
              EXPECT_EQ(op.microbatch, next_forward[op.chunk]++);
            }
          }
          EXPECT_EQ(state.size(), static_cast<size_t>(virtual_stages) * static_cast<size_t>(microbatches));
          EXPECT_TRUE(std::ranges::all_of(state, [](const auto& entry) { return entry.second == 2; }));
        }
      }
    }
  }
}

}  // namespace
}  // namespace td::sim
