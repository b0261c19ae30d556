#include "drill/measurement.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"

namespace td::drill {
namespace {

Result<SimulatedInstance> instance_of(std::string_view scenario, uint64_t seed) {
  const Scenario* found = find_scenario(scenario);
  if (found == nullptr) return fail(ErrorCode::not_found, "no scenario");
  return simulate_instance(*found, seed, Level::standard);
}

MeasurementPrint print_of(std::string_view id, const SimulatedInstance& instance) {
  const PaidMeasurement* measurement = find_paid_measurement(id);
  if (measurement == nullptr) return {};
  Result<MeasurementPrint> print = run_measurement(*measurement, instance);
  EXPECT_TRUE(print.has_value());
  return print.value_or(MeasurementPrint{});
}

// "NODE: 3, 1410 MHz, 1980 MHz" is held below its own top clock.
bool is_below_top(const std::string& line) {
  const size_t first = line.find(", ");
  const size_t second = line.find(", ", first + 2);
  return line.substr(first + 2, second - first - 2) != line.substr(second + 2);
}

TEST(MeasurementTest, EachIsOneOfTheCommitFormAndHasAPrice) {
  ASSERT_FALSE(all_paid_measurements().empty());
  for (const PaidMeasurement& one : all_paid_measurements()) {
    EXPECT_NE(catalog::find_choice(catalog::all_measurements(), one.id), nullptr) << one.id;
    EXPECT_GE(one.price_s, 5) << one.id;
    EXPECT_LE(one.price_s, 30) << one.id;
  }
  EXPECT_EQ(find_paid_measurement("bucket_log"), nullptr);  // the trace has it
}

TEST(MeasurementTest, ClocksShowTheSlowGpuAndNoOther) {
  const Result<SimulatedInstance> slow = instance_of("straggler_clock", 3);
  ASSERT_TRUE(slow.has_value());
  const MeasurementPrint print = print_of("sm_clocks", *slow);
  ASSERT_EQ(print.lines.size(), slow->traced_measure.ranks());
  const auto rank = static_cast<size_t>(slow->instance.faults.front().number("rank"));
  for (size_t line = 0; line < print.lines.size(); ++line) {
    EXPECT_EQ(is_below_top(print.lines[line]), line == rank) << print.lines[line];
  }
}

TEST(MeasurementTest, ClocksOfAHealthyMachineAreAllAtTheTop) {
  const Result<SimulatedInstance> healthy = instance_of("healthy", 3);
  ASSERT_TRUE(healthy.has_value());
  const MeasurementPrint print = print_of("sm_clocks", *healthy);
  EXPECT_EQ(std::count_if(print.lines.begin(), print.lines.end(), is_below_top), 0);
}

TEST(MeasurementTest, NcclTestsPrintThreeSizes) {
  const Result<SimulatedInstance> healthy = instance_of("healthy", 3);
  ASSERT_TRUE(healthy.has_value());
  EXPECT_EQ(print_of("nccl_tests", *healthy).lines.size(), healthy->job.fabric.world_size() > 1 ? 4U : 1U);
}

// "20 steps, 61.2 ms a step (with the loader: 80.4 ms)": whether the two figures are the same.
bool changes_step(const std::string& line) {
  const size_t comma = line.find(", ");
  const size_t step = line.find(" a step", comma);
  const std::string cached = line.substr(comma + 2, step - comma - 2);
  return line.find("loader: " + cached + ")") == std::string::npos;
}

TEST(MeasurementTest, ACachedBatchHelpsAStarvedJob) {
  const Result<SimulatedInstance> starved = instance_of("starved_loader", 3);
  ASSERT_TRUE(starved.has_value());
  const MeasurementPrint print = print_of("cached_batch", *starved);
  ASSERT_EQ(print.lines.size(), 2U);
  EXPECT_TRUE(changes_step(print.lines[0])) << print.lines[0];
  EXPECT_NE(print.lines[1].find("fetch"), std::string::npos);
}

}  // namespace
}  // namespace td::drill
