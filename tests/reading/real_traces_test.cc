// What the reader says about real traces, against what is known of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/api.h"
#include "native/open_source.h"

namespace td::tests {
namespace {

Result<Json> reading_of(const std::vector<std::string>& files) {
  SerialExecutor executor;
  NoProgress progress;
  api::Io io;
  io.open_source = [](std::string_view name) { return native::open_source(std::string(name)); };
  io.executor = &executor;
  io.progress = &progress;
  Json names = Json::array();
  for (const std::string& file : files) names.push(Json::string(std::string(TD_SOURCE_DIR) + "/tests/" + file));
  Result<api::Reply> reply = api::call("read", Json::object().set("files", std::move(names)), io);
  if (!reply) return std::unexpected(reply.error());
  return reply->json;
}

int64_t gap_ns(const Json& ledger, std::string_view owner) {
  for (const Json& gap : ledger["gaps"].items())
    if (gap["owner"].as_string() == owner) return gap["total_ns"].as_int();
  return 0;
}

// Parts add up, exactly; every finding has words.
void expect_sound(const Json& reading) {
  for (const Json& ledger : reading["ledgers"].items()) {
    if (ledger["step_ns"].is_null()) continue;
    EXPECT_EQ(ledger["compute_ns"].as_int() + ledger["exposed_comm_ns"].as_int() + ledger["exposed_copy_ns"].as_int() +
                  ledger["idle_ns"].as_int(),
              ledger["step_ns"].as_int());
    int64_t gaps_ns = 0;
    for (const Json& gap : ledger["gaps"].items()) gaps_ns += gap["total_ns"].as_int();
    EXPECT_EQ(gaps_ns, ledger["idle_ns"].as_int());
  }
  ASSERT_FALSE(reading["findings"].items().empty());
  for (const Json& finding : reading["findings"].items()) EXPECT_FALSE(finding["evidence"].items().empty());
}

// From an independent reference over all GPU events (interval unions in integer ns).
struct Known {
  const char* file;
  int64_t span_ns;
  int64_t busy_ns;
  int64_t compute_ns;
  int64_t comm_ns;
  int64_t exposed_comm_ns;
};

class Whole : public ::testing::TestWithParam<Known> {};

TEST_P(Whole, AgreesWithTheReferenceToTheNanosecond) {
  const Known& known = GetParam();
  const Result<Json> reading = reading_of({std::string("traces/") + known.file});
  ASSERT_TRUE(reading) << reading.error().text();
  const Json& whole = (*reading)["whole"];
  EXPECT_EQ(whole["span_ns"].as_int(), known.span_ns);
  EXPECT_EQ(whole["busy_ns"].as_int(), known.busy_ns);
  EXPECT_EQ(whole["idle_ns"].as_int(), known.span_ns - known.busy_ns);
  EXPECT_EQ(whole["compute_ns"].as_int(), known.compute_ns);
  EXPECT_EQ(whole["comm_ns"].as_int(), known.comm_ns);
  EXPECT_EQ(whole["comm_ns"].as_int() - whole["comm_hidden_ns"].as_int(), known.exposed_comm_ns);
  expect_sound(*reading);
}

INSTANTIATE_TEST_SUITE_P(
    RealTraces, Whole,
    ::testing::Values(
        Known{"kineto/docs__traces__before_fix_trace@db36f7.json", 20, 20, 20, 0, 0},
        Known{"hta/amd_trace__mi250_minitoy_train_ROCm6_2_kineto.json.gz", 8911887, 149042, 110881, 0, 0},
        Known{"hta/critical_path__cuda_event_sync_multi_stream__event_sync_trace.json.gz", 19506000, 372000, 369000, 0,
              0},
        Known{"hta/large_integer_trace__rank-70@409ef9.Mar_25_20_48_12.2861.pt.trace.json.gz", 50000, 50000, 0, 50000,
              50000},
        Known{"hta/trace_compare__base__base.json.gz", 274498000, 1694000, 432000, 0, 0},
        Known{"hta/triton_example__triton_example.json.gz", 1760, 1760, 1760, 0, 0},
        Known{"hta/with_gpu_user_annotation__step_based_trace_2543932@b2a719.json.gz", 7737000, 291000, 290000, 0, 0},
        Known{"tracelens/b300_moe_01_many_experts_few_tokens@ac8c38.json.gz", 1546141, 231454, 231454, 0, 0},
        Known{"tracelens/torch_compile_triton__trace.json.gz", 12549032, 12549021, 12549021, 0, 0}));

// 0 workers: the loader runs in the training process, and the device waits for it in every step.
TEST(RealTraces, ResNetWithoutWorkersIsStarved) {
  const Result<Json> reading = reading_of({"reading/traces/resnet50_num_workers_0_steps_6_8.json.gz"});
  ASSERT_TRUE(reading) << reading.error().text();
  expect_sound(*reading);
  const Json& finding = (*reading)["findings"].items()[0];
  EXPECT_EQ(finding["cause"].as_string(), "input_starvation");
  EXPECT_GT(finding["confidence"].as_millionths(), 700'000);
  const Json& ledger = (*reading)["ledgers"].items()[0];
  EXPECT_GT(gap_ns(ledger, "data_loading") * 10, ledger["step_ns"].as_int() * 3);
}

// 4 workers: the same network, and the loader costs next to nothing.
TEST(RealTraces, ResNetWithWorkersIsNot) {
  const Result<Json> reading = reading_of({"reading/traces/resnet50_num_workers_4_steps_6_8.json.gz"});
  ASSERT_TRUE(reading) << reading.error().text();
  expect_sound(*reading);
  for (const Json& finding : (*reading)["findings"].items()) {
    EXPECT_NE(finding["cause"].as_string(), "input_starvation");
    EXPECT_NE(finding["cause"].as_string(), "healthy") << "a sixth of the step is lost to the host";
  }
  const Json& ledger = (*reading)["ledgers"].items()[0];
  EXPECT_LT(gap_ns(ledger, "data_loading") * 100, ledger["step_ns"].as_int());
}

TEST(RealTraces, SmallBertIsLaunchBound) {
  const Result<Json> reading = reading_of({"reading/traces/h100__gaunernst_bert-small-uncased__1016001.json.gz"});
  ASSERT_TRUE(reading) << reading.error().text();
  expect_sound(*reading);
  const Json& finding = (*reading)["findings"].items()[0];
  EXPECT_EQ(finding["cause"].as_string(), "launch_bound");
  EXPECT_LT(finding["confidence"].as_millionths(), 700'000) << "one cut step, recorded with Python stacks";
}

TEST(RealTraces, CpuOnlyCaptureIsUnreadable) {
  const Result<Json> reading = reading_of({"traces/hta/cpu_only__rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz"});
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ((*reading)["trust"]["verdict"].as_string(), "unreadable");
  EXPECT_EQ((*reading)["findings"].items()[0]["cause"].as_string(), "inconclusive");
  EXPECT_TRUE((*reading)["whole"]["idle_ns"].is_null());
}

// Four ranks in one file are four ranks: as one GPU their idle time would hide behind each other.
TEST(RealTraces, MergedRanksAreReadApart) {
  const Result<Json> reading = reading_of({"traces/amd-hpctraining/fused_traces__merged_nccl_only.json.gz"});
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ((*reading)["ranks"].items().size(), 4u);
  EXPECT_EQ((*reading)["files"].items().size(), 1u);
  expect_sound(*reading);
}

}  // namespace
}  // namespace td::tests
