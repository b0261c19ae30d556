#include <gtest/gtest.h>

#include <map>
#include <string>

#include "api/api.h"

namespace td::api {
namespace {

// One rank's trace with two ProfilerSteps of one kernel each, as Kineto would write it.
std::string kineto(int rank) {
  std::string text = R"({"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":)" + std::to_string(rank) +
                     R"(,"world_size":2},"traceEvents":[)";
  for (int step = 0; step < 3; ++step) {
    const std::string at = std::to_string(step * 100);
    text += R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#)" + std::to_string(step) +
            R"(","pid":1,"tid":1,"ts":)" + at + R"(,"dur":100},)";
    text += R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" + at +
            R"(,"dur":5,"args":{"correlation":)" + std::to_string(step + 1) + "}},";
    text += R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":)" + std::to_string(step * 100 + 10) +
            R"(,"dur":80,"args":{"correlation":)" + std::to_string(step + 1) + R"(,"stream":7,"device":0}})" +
            (step < 2 ? "," : "");
  }
  return text + "]}";
}

class ReadMethod : public ::testing::Test {
 protected:
  Result<Reply> call_read(const std::string& request) {
    Io io;
    io.open_source = [this](std::string_view name) -> Result<std::unique_ptr<Source>> {
      const auto it = files_.find(std::string(name));
      if (it == files_.end()) return fail(ErrorCode::not_found, "no such file", std::string(name));
      return std::make_unique<MemorySource>(it->second, it->first);
    };
    io.executor = &executor_;
    io.progress = &progress_;
    return call("read", *parse_json(request), io);
  }

  std::map<std::string, std::string> files_ = {{"rank0.json", kineto(0)}, {"rank1.json", kineto(1)}};
  SerialExecutor executor_;
  NoProgress progress_;
};

TEST_F(ReadMethod, SeveralFilesAreSeveralRanks) {
  const Result<Reply> reply = call_read(R"({"files":["rank1.json","rank0.json"]})");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->json["ranks"].items().size(), 2u);
  EXPECT_EQ(reply->json["ranks"].items()[0]["rank"].as_int(), 0);
  EXPECT_EQ(reply->json["files"].items().size(), 2u);
  EXPECT_EQ(reply->json["steps"]["count"].as_int(), 2);
  EXPECT_TRUE(reply->json["unread_files"].items().empty());
  EXPECT_TRUE(reply->blob.empty());
}

TEST_F(ReadMethod, TextIsTheBlob) {
  const Result<Reply> reply = call_read(R"({"files":["rank0.json"],"text":{"columns":80}})");
  ASSERT_TRUE(reply);
  EXPECT_NE(reply->blob.find("Gap ledger"), std::string::npos);
}

TEST_F(ReadMethod, TwoFilesOfOneRankAreRefused) {
  files_["again.json"] = kineto(0);
  const Result<Reply> reply = call_read(R"({"files":["rank0.json","again.json"]})");
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->json["unread_files"].items().size(), 1u);
  const Json& lost = reply->json["unread_files"].items()[0];
  EXPECT_EQ(lost["file"].as_string(), "again.json");
  EXPECT_NE(lost["error"].as_string().find("rank 0 was given already (rank0.json)"), std::string_view::npos);
  EXPECT_EQ(reply->json["ranks"].items().size(), 1u);
}

TEST_F(ReadMethod, AFileThatCannotBeReadDoesNotLoseTheOthers) {
  files_["broken.json"] = "not a trace";
  const Result<Reply> reply = call_read(R"({"files":["broken.json","rank1.json"]})");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->json["unread_files"].items()[0]["file"].as_string(), "broken.json");
  EXPECT_EQ(reply->json["ranks"].items()[0]["rank"].as_int(), 1);
}

TEST_F(ReadMethod, NothingReadIsAnError) {
  const Result<Reply> missing = call_read(R"({"files":["absent.json"]})");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(call_read(R"({"files":["absent.json","gone.json"]})"));
  EXPECT_FALSE(call_read(R"({"files":[]})"));
  EXPECT_FALSE(call_read("{}"));
}

TEST_F(ReadMethod, RankComesFromTheNameWhereTheFileHasNone) {
  std::string text = kineto(0);
  const size_t begin = text.find(R"("distributedInfo")");
  text.erase(begin, text.find(R"("traceEvents")") - begin);
  files_["run/rank-5.pt.trace.json"] = text;
  const Result<Reply> reply = call_read(R"({"files":["run/rank-5.pt.trace.json"]})");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->json["ranks"].items()[0]["rank"].as_int(), 5);
}

TEST_F(ReadMethod, FactsComeFromADrill) {
  files_["drill.json"] = R"({"prompt":"...","facts":{"gpu":"h100_sxm","fabric":"nvlink","world_size":2}})";
  EXPECT_TRUE(call_read(R"({"files":["rank0.json"],"facts":"drill.json"})"));
  files_["bad.json"] = R"({"facts":{"gpu":"abacus"}})";
  const Result<Reply> bad = call_read(R"({"files":["rank0.json"],"facts":"bad.json"})");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().text().find("abacus"), std::string::npos);
  EXPECT_FALSE(call_read(R"({"files":["rank0.json"],"fabric":"string"})"));
  EXPECT_TRUE(call_read(R"({"files":["rank0.json"],"fabric":"pcie4"})"));
}

}  // namespace
}  // namespace td::api
