// What requests are checked for, and what of them decides the reply.
#include "api/request.h"

#include <gtest/gtest.h>

#include <string>

#include "api/method.h"

namespace td::api {
namespace {

TEST(CacheKey, HoldsWhatTheReplyDependsOnAndNothingElse) {
  const auto key_of = [](std::string_view name, std::string_view request) -> std::string {
    for (const Method& method : all_methods()) {
      if (method.name == name && method.cache_key != nullptr) {
        return method.cache_key(*parse_json(request)).value_or("no key");
      }
    }
    return "not kept";
  };
  EXPECT_EQ(key_of("open", R"({"drill":"first.1/7","x":1})"), "first.1/7");
  EXPECT_EQ(key_of("open", R"({"drill":"first.1/07"})"), "no key");
  EXPECT_EQ(key_of("export", R"({"drill":"first.1/7","x":1})"), "first.1/7 chrome_json");
  EXPECT_EQ(key_of("export", R"({"drill":"first.1/7","format":"chrome_json"})"), "first.1/7 chrome_json");
  EXPECT_EQ(key_of("export", R"({"drill":"first.1/7","format":"pdf"})"), "no key");
  EXPECT_EQ(key_of("reveal", R"({"drill":"first.1/7","commit":{"diagnosis":"healthy"}})"), "not kept");
}

Result<drill::Answer> answer_of(const std::string& members) {
  return required_commit(*parse_json(R"({"commit":{"diagnosis":"healthy",)" + members + "}}"));
}

TEST(Commit, NothingWrongPassesInSilence) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("confidence_percent":50.5)", "whole number from 0 to 100"},
      {R"("confidence_percent":"50")", "whole number from 0 to 100"},
      {R"("confidence_percent":9223372036854775807)", "whole number from 0 to 100"},
      {R"("elapsed_ms":-1)", "whole milliseconds from 0"},
      {R"("elapsed_ms":"x")", "whole milliseconds from 0"},
      {R"("elapsed_ms":1.5)", "whole milliseconds from 0"},
      {R"("elapsed_ms":1e300)", "whole milliseconds from 0"},
      {R"("elapsed_ms":9223372036854775807)", "whole milliseconds from 0"},
      {R"("paused":"x")", "true or false"},
      {R"("paused":1)", "true or false"},
      {R"("measurement":5)", "string, or null"},
      {R"("fix":{})", "string, or null"},
      {R"("win":5)", "\"value\""},
      {R"("win":[])", "\"value\""},
      {R"("win":{})", "expected a number"},
      {R"("win":{"value":"5"})", "expected a number"},
      {R"("win":{"value":5,"unit":7})", "percent"},
      {R"("place":{"rank":0,"begin_ns":-1e308,"end_ns":1e308})", "whole nanoseconds"},
      {R"("place":{"rank":0,"begin_ns":1.5,"end_ns":9})", "whole nanoseconds"},
      {R"("place":{"rank":0,"begin_ns":9,"end_ns":1})", "whole nanoseconds"},
      {R"("place":5)", "rank"},
  };
  for (const auto& [members, expected] : cases) {
    const auto answer = answer_of(members);
    ASSERT_FALSE(answer.has_value()) << members;
    EXPECT_EQ(answer.error().code, ErrorCode::invalid_argument) << members;
    EXPECT_NE(answer.error().message.find(expected), std::string::npos) << members << ": " << answer.error().text();
  }
}

TEST(Commit, WhatIsLeftOutIsNoError) {
  const auto none = answer_of(
      R"("place":null,"number":null,"measurement":null,"fix":null,"win":null,"confidence_percent":null,"elapsed_ms":null,"paused":null)");
  ASSERT_TRUE(none.has_value()) << none.error().text();
  EXPECT_EQ(none->confidence_percent, std::nullopt);
  EXPECT_FALSE(none->win.has_value());
  const auto whole = answer_of(R"("confidence_percent":80.0,"elapsed_ms":94000,"paused":true,"win":{"value":5.5})");
  ASSERT_TRUE(whole.has_value()) << whole.error().text();
  EXPECT_EQ(whole->confidence_percent, 80);
  EXPECT_EQ(whole->elapsed_ms, 94000);
  EXPECT_TRUE(whole->paused);
  EXPECT_EQ(whole->win->value_millionths, 5'500'000);
}

TEST(Errors, AreShortHoweverLongTheInput) {
  const std::string longer(900'000, 'x');
  const auto is_short = [](const Error& error) { return error.text().size() < 1000; };
  for (const std::string& drill : {longer, longer + ".1/7", "first.1/" + longer}) {
    Json request = Json::object();
    const auto name = required_drill(request.set("drill", Json::string(drill)));
    ASSERT_FALSE(name.has_value());
    EXPECT_TRUE(is_short(name.error()));
  }
  for (const char* key : {"diagnosis", "measurement", "fix"}) {
    const auto answer = answer_of("\"" + std::string(key) + "\":\"" + longer + "\"");
    ASSERT_FALSE(answer.has_value());
    EXPECT_TRUE(is_short(answer.error())) << key;
  }
  EXPECT_TRUE(is_short(writable_format(longer).error()));
}

}  // namespace
}  // namespace td::api
