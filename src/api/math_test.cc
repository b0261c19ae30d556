#include "api/math.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "api/api.h"
#include "base/io.h"

namespace td::api {
namespace {

Result<Json> ask(std::string_view method, std::string_view request) {
  SerialExecutor executor;
  NoProgress progress;
  Io io;
  io.executor = &executor;
  io.progress = &progress;
  Result<Reply> reply = call(method, *parse_json(request), io);
  if (!reply) return std::unexpected(reply.error());
  return std::move(reply->json);
}

std::string next(std::string_view request) { return std::string((*ask("math_next", request))["problem"].as_string()); }

// A page that asks by name learns neither category nor answer before it answers.
TEST(MathMethods, AQuestionByNameTellsNothing) {
  for (int seed = 0; seed < 40; ++seed) {
    const std::string name = next("{\"seed\":" + std::to_string(seed) + "}");
    const Json opened = *ask("math_open", "{\"problem\":\"" + name + "\"}");
    const Json graded = *ask("math_answer", "{\"problem\":\"" + name + "\",\"answer\":null}");
    const std::string text = opened.dump();
    EXPECT_EQ(text.find(graded["category"].as_string()), std::string::npos) << text;
    EXPECT_EQ(text.find(graded["title"].as_string()), std::string::npos) << text;
    for (const char* key : {"answer", "steps", "category", "identity", "slips"})
      EXPECT_TRUE(opened[key].is_null()) << key;
    EXPECT_EQ(opened["question"].as_string(), graded["question"].as_string());
    EXPECT_EQ(graded["grade"].as_string(), "wrong");
  }
}

TEST(MathMethods, TheWholeWay) {
  const Json opened = *ask("math_open", R"({"category":"ring_all_reduce","seed":2})");
  EXPECT_EQ(opened["category"].as_string(), "ring_all_reduce");
  const std::string problem = "{\"problem\":\"" + std::string(opened["problem"].as_string()) + "\",";
  // 2 x 127/128 x 1.66 GB / 25 GB/s = 131.8 ms.
  const Json right = *ask("math_answer", problem + R"("answer":"132 ms","elapsed_ms":120000})");
  EXPECT_EQ(right["grade"].as_string(), "right");
  EXPECT_TRUE(right["in_time"].as_bool());
  EXPECT_TRUE(right["slip"].is_null());
  const Json late = *ask("math_answer", problem + R"("answer":"66 ms","elapsed_ms":120001,"open_book":true})");
  EXPECT_EQ(late["grade"].as_string(), "close");
  EXPECT_FALSE(late["in_time"].as_bool(true));
  EXPECT_TRUE(late["open_book"].as_bool());
  EXPECT_TRUE(late["slip"].as_string().starts_with("both directions")) << late["slip"].as_string();
  const auto unread = ask("math_answer", problem + R"("answer":"5 apples"})");
  ASSERT_FALSE(unread.has_value());
  EXPECT_EQ(unread.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(unread.error().where, "answer");
  EXPECT_EQ((*ask("math_check", problem + R"("answer":"0.132 s"})"))["read_as"].as_string(), "132 ms");
  EXPECT_TRUE((*ask("math_check", problem + R"("answer":"5 app"})"))["read_as"].is_null());
}

TEST(MathMethods, NextIsDrawnFromTheSet) {
  std::set<std::string> categories;
  for (int seed = 0; seed < 60; ++seed) {
    const std::string name =
        next("{\"set\":[\"wave_quantisation\",\"occupancy\"],\"seed\":" + std::to_string(seed) + "}");
    categories.emplace((*ask("math_answer", "{\"problem\":\"" + name + "\",\"answer\":null}"))["category"].as_string());
  }
  EXPECT_EQ(categories, (std::set<std::string>{"occupancy", "wave_quantisation"}));
  EXPECT_EQ(next(R"({"mode":"cards","seed":9})"), "card.1/9");
  EXPECT_EQ(next(R"({"mode":"traces","seed":8})"), "core.1/8");
  EXPECT_EQ(next(R"({"mode":"traces","seed":9})"), "core.1/9/rate");
}

TEST(MathMethods, Attempts) {
  const Json summary = *ask("math_summary", R"({"attempts":[
      {"category":"kv_capacity","grade":"right","elapsed_ms":20000},
      {"category":"tile_budget","grade":"close","elapsed_ms":40000},
      {"category":"tile_budget","grade":"right","in_time":false,"elapsed_ms":130000}]})");
  EXPECT_EQ(summary["all"]["count"].as_int(), 3);
  EXPECT_EQ(summary["all"]["miss"].as_int(), 1);
  EXPECT_EQ(summary["all"]["median_ms"].as_int(), 40000);
  EXPECT_EQ(summary["categories"].items().front()["category"].as_string(), "tile_budget");
}

TEST(MathMethods, BadRequestsSayWhere) {
  const auto where = [](std::string_view method, std::string_view request) {
    const auto reply = ask(method, request);
    EXPECT_FALSE(reply.has_value()) << request;
    return reply ? std::string() : reply.error().where;
  };
  EXPECT_EQ(where("math_next", R"({})"), "seed");
  EXPECT_EQ(where("math_next", R"({"seed":-1})"), "seed");
  EXPECT_EQ(where("math_next", R"({"seed":1,"mode":"fast"})"), "mode");
  EXPECT_EQ(where("math_next", R"({"seed":1,"set":[]})"), "set");
  EXPECT_EQ(where("math_next", R"({"seed":1,"attempts":7})"), "attempts");
  EXPECT_EQ(where("math_summary", R"({"attempts":[{"category":"x","grade":"good"}]})"), "attempts.grade");
  EXPECT_EQ(where("math_open", R"({})"), "problem");
  EXPECT_EQ(where("math_open", R"({"problem":"math.1/zz"})"), "problem");
  EXPECT_EQ(where("math_open", R"({"problem":"nothing"})"), "problem");
  EXPECT_EQ(where("math_open", R"({"problem":"card.1/x"})"), "problem");
  EXPECT_EQ(where("math_open", R"({"category":"kv_capacity"})"), "seed");
  EXPECT_EQ(where("math_answer", R"({"category":"kv_capacity","seed":1,"answer":7})"), "answer");
  EXPECT_EQ(where("math_answer", R"({"category":"kv_capacity","seed":1,"answer":null,"elapsed_ms":-1})"), "elapsed_ms");
}

}  // namespace
}  // namespace td::api
