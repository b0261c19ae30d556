#include <gtest/gtest.h>

#include <map>
#include <string>

#include "api/api.h"
#include "api/method.h"
#include "catalog/catalog.h"
#include "drill/draw.h"
#include "formats/format.h"
#include "sim/fault/fault.h"

namespace td::api {
namespace {

// As a file would: finished exactly once, or nothing is kept.
class StrictSink final : public Sink {
 public:
  explicit StrictSink(std::string& out) : out_(&out) {}
  Status write(std::string_view bytes) override {
    text_ += bytes;
    return {};
  }
  Status finish() override {
    if (finished_) return fail(ErrorCode::io, "finished twice");
    finished_ = true;
    *out_ = std::move(text_);
    return {};
  }

 private:
  std::string* out_;
  std::string text_;
  bool finished_ = false;
};

// Opens nothing, keeps what is written.
struct TestIo {
  std::map<std::string, std::string> written;
  SerialExecutor executor;
  NoProgress progress;

  Io io() {
    return {.open_source = [](std::string_view name) -> Result<std::unique_ptr<Source>> {
              return fail(ErrorCode::io, "no file", std::string(name));
            },
            .open_sink = [this](std::string_view name) -> Result<std::unique_ptr<Sink>> {
              return std::make_unique<StrictSink>(written[std::string(name)]);
            },
            .executor = &executor,
            .progress = &progress};
  }
};

Result<Reply> call_text(std::string_view method, std::string_view request) {
  TestIo test;
  Io io = test.io();
  return call(method, *parse_json(request), io);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

TEST(Call, UnknownMethodListsTheMethods) {
  const auto reply = call_text("opne", "{}");
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().code, ErrorCode::not_found);
  for (const char* name : {"catalog", "open", "reveal", "export", "generate"}) {
    EXPECT_NE(reply.error().message.find(name), std::string::npos) << reply.error().message;
  }
}

TEST(Call, PagesMayNotWriteFiles) {
  for (const Method& method : all_methods()) {
    EXPECT_FALSE(method.summary.empty()) << method.name;
    const bool opens_files = method.name == "generate" || method.name == "read";
    EXPECT_TRUE(!opens_files || !method.for_pages) << method.name;
  }
}

TEST(Catalog, ListsAreWhole) {
  const auto reply = call_text("catalog", "{}");
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->json["diagnoses"].items().size(), 12U);
  EXPECT_EQ(reply->json["measurements"].items().size(), catalog::all_measurements().size());
  EXPECT_EQ(reply->json["fixes"].items().size(), catalog::all_fixes().size());
  EXPECT_EQ(reply->json["reading_order"].items().size(), 4U);
  EXPECT_EQ(reply->json["decks"].items()[0]["id"].as_string(), "core.1");
  EXPECT_EQ(reply->json["limit_s"].as_int(), 120);
}

TEST(Open, ErrorsSayWhatIsValid) {
  for (const char* request : {"{}", R"({"drill":7})", R"({"drill":"first.1/x"})"}) {
    const auto reply = call_text("open", request);
    ASSERT_FALSE(reply.has_value()) << request;
    EXPECT_EQ(reply.error().code, ErrorCode::invalid_argument) << request;
  }
  const auto no_deck = call_text("open", R"({"drill":"nope.1/3"})");
  ASSERT_FALSE(no_deck.has_value());
  EXPECT_EQ(no_deck.error().code, ErrorCode::not_found);
}

TEST(Open, SameRequestSameBytes) {
  const auto first = call_text("open", R"({"drill":"first.1/48213"})");
  const auto second = call_text("open", R"({"drill":"first.1/48213"})");
  ASSERT_TRUE(first.has_value()) << first.error().text();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(first->json.dump(), second->json.dump());
  EXPECT_EQ(first->blob, second->blob);
  EXPECT_EQ(first->json["ranks"].items().size(), 8U);
  EXPECT_FALSE(first->json["prompt"].as_string().empty());
  EXPECT_LT(first->json["view"]["begin_ns"].as_int(), first->json["view"]["end_ns"].as_int());
}

TEST(Open, HoldsNothingOfTheAnswer) {
  std::vector<std::string> telling = {"truth",     "scenario", "slow_",    "factor", "permille",
                                      "signature", "verdict",  "win_frac", "fixed_", "lookalike"};
  for (const catalog::Cause& cause : catalog::all_causes()) telling.push_back(lower(cause.id));
  for (const drill::Scenario& scenario : drill::all_scenarios()) telling.push_back(lower(scenario.id));
  for (const sim::Fault& fault : sim::all_faults()) telling.push_back(lower(fault.id));
  for (uint32_t seed = 100; seed < 112; ++seed) {
    const std::string drill = (seed % 2 == 0 ? "first.1/" : "core.1/") + std::to_string(seed);
    const auto reply = call_text("open", "{\"drill\":\"" + drill + "\"}");
    ASSERT_TRUE(reply.has_value()) << reply.error().text();
    const auto exported = call_text("export", "{\"drill\":\"" + drill + "\"}");
    ASSERT_TRUE(exported.has_value()) << exported.error().text();
    const std::string all = lower(reply->json.dump() + reply->blob + exported->json.dump() + exported->blob);
    for (const std::string& word : telling) EXPECT_EQ(all.find(word), std::string::npos) << drill << ": " << word;
  }
}

TEST(Reveal, BadCommitsSayWhatIsExpected) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"drill":"first.1/3"})", "commit"},
      {R"({"drill":"first.1/3","commit":{}})", "straggler"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"gremlins"}})", "inconclusive"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","measurement":"tea"}})", "sm_clocks"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","fix":"tea"}})", "change_nothing"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","place":{"rank":0,"begin_ns":9,"end_ns":9}}})",
       "begin_ns"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","place":{"begin_ns":1,"end_ns":9}}})", "rank"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","place":{"rank":8,"begin_ns":1,"end_ns":9}}})",
       "no rank 8, expected 0 to 7"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","place":{"rank":0,"track":99,"begin_ns":1,"end_ns":9}}})",
       "no track 99 on rank 0, expected 0 to "},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","place":{"rank":0,"track":-1,"begin_ns":1,"end_ns":9}}})",
       "commit.place.track"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","number":"many"}})", "number"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","number":9e17}})", "number"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","win":{"value":1,"unit":"furlong"}}})", "percent"},
      {R"({"drill":"first.1/3","commit":{"diagnosis":"healthy","confidence_percent":101}})", "100"},
  };
  for (const auto& [request, expected] : cases) {
    const auto reply = call_text("reveal", request);
    ASSERT_FALSE(reply.has_value()) << request;
    EXPECT_EQ(reply.error().code, ErrorCode::invalid_argument) << request;
    EXPECT_NE(reply.error().text().find(expected), std::string::npos) << reply.error().text();
  }
}

// The commit that the truth itself would make.
Json commit_from(const Json& truth) {
  Json commit = Json::object();
  commit.set("diagnosis", truth["cause"]);
  if (truth["cause"].as_string() != "healthy") {
    // The tail on the row that the signature's last evidence but one points at: B is the slow rank, A any rank.
    const Json& span = truth["evidence"].items()[truth["cause"].as_string() == "straggler" ? 1 : 0];
    Json place = Json::object();
    place.set("rank", span["rank"]).set("track", span["track"]);
    place.set("begin_ns", span["begin_ns"]).set("end_ns", span["end_ns"]);
    commit.set("place", std::move(place));
  }
  Json win = Json::object();
  win.set("value", Json::fraction(truth["win"]["win_frac"].as_millionths() * 100)).set("unit", Json::string("percent"));
  commit.set("number", truth["number"]["value"])
      .set("measurement", truth["confirm"]["id"])
      .set("fix", truth["fix"]["id"])
      .set("win", std::move(win))
      .set("confidence_percent", Json::integer(80))
      .set("elapsed_ms", Json::integer(60000));
  return commit;
}

TEST(Reveal, TheTruthItselfIsAllRight) {
  std::map<std::string, int> seen;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const std::string drill = "first.1/" + std::to_string(seed);
    TestIo test;
    Io io = test.io();
    Json request = Json::object();
    request.set("drill", Json::string(drill)).set("commit", *parse_json(R"({"diagnosis":"inconclusive"})"));
    const auto blind = call("reveal", request, io);
    ASSERT_TRUE(blind.has_value()) << blind.error().text();
    EXPECT_EQ(blind->json["verdict"]["right"].as_int(-1), 0);
    Json second = Json::object();
    second.set("drill", Json::string(drill)).set("commit", commit_from(blind->json["truth"]));
    const auto reply = call("reveal", second, io);
    ASSERT_TRUE(reply.has_value()) << reply.error().text();
    const Json& verdict = reply->json["verdict"];
    EXPECT_EQ(verdict["right"].as_int(), verdict["of"].as_int(-1)) << drill << " " << verdict.dump(2);
    EXPECT_TRUE(verdict["in_time"].as_bool());
    EXPECT_EQ(reply->blob.substr(0, 4), "TDB1");
    ++seen[std::string(reply->json["truth"]["cause"].as_string())];
  }
  EXPECT_EQ(seen.size(), 3U) << "twelve seeds should show all three causes";
}

TEST(Export, IsReadBackWithAllRanks) {
  const auto reply = call_text("export", R"({"drill":"first.1/5","format":"chrome_json"})");
  ASSERT_TRUE(reply.has_value()) << reply.error().text();
  EXPECT_EQ(reply->json["file_name"].as_string(), "first.1-5.json");
  NoProgress progress;
  MemorySource source(reply->blob, "first.1-5.json");
  const auto ranks = formats::read_any(source, progress);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  EXPECT_EQ(ranks->size(), 8U);
  EXPECT_FALSE(call_text("export", R"({"drill":"first.1/5","format":"pdf"})").has_value());
}

TEST(Generate, WritesRanksAndKeepsTheTruthApart) {
  TestIo test;
  Io io = test.io();
  const auto reply = call("generate", *parse_json(R"({"scenario":"straggler","seed":7,"out":"d"})"), io);
  ASSERT_TRUE(reply.has_value()) << reply.error().text();
  EXPECT_EQ(reply->json["cause"].as_string(), "straggler");
  // A file a rank, drill.json and truth.json.
  EXPECT_EQ(static_cast<int64_t>(test.written.size()), reply->json["ranks"].as_int() + 2);
  const auto drill = parse_json(test.written["d/drill.json"]);
  const auto truth = parse_json(test.written["d/truth.json"]);
  ASSERT_TRUE(drill.has_value() && truth.has_value());
  EXPECT_EQ((*drill)["seed"].as_int(), 7);
  EXPECT_EQ((*drill)["facts"]["world_size"].as_int(), reply->json["ranks"].as_int());
  EXPECT_TRUE((*truth)["scenario"].as_string().starts_with("straggler_"));
  for (const auto& [name, text] : test.written) {
    const bool tells = lower(text).find("straggler") != std::string::npos;
    EXPECT_EQ(tells, name == "d/truth.json") << name;
  }
}

TEST(Generate, UnknownIdsListCausesAndScenarios) {
  const auto reply = call_text("generate", R"({"scenario":"gremlins","seed":7,"out":"d"})");
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().code, ErrorCode::not_found);
  EXPECT_NE(reply.error().message.find("bandwidth_bound_collective"), std::string::npos);
  EXPECT_NE(reply.error().message.find("straggler_clock"), std::string::npos);
  EXPECT_FALSE(call_text("generate", R"({"scenario":"healthy","seed":-1,"out":"d"})").has_value());
  EXPECT_FALSE(call_text("generate", R"({"scenario":"healthy","out":"d"})").has_value());
  EXPECT_FALSE(call_text("generate", R"({"scenario":"healthy","seed":1})").has_value());
}

TEST(ApiCallTest, HistoryCountsWhatItCanReadAndTellsTheRest) {
  const auto reply = call_text("history", R"({"attempts":[
    {"cause":"straggler","diagnosis":"straggler","elapsed_ms":94000,"timed":true,"in_time":true,"confidence_percent":80,
     "grades":{"diagnosis":"right","place":"close","number":"missing","measurement":"right","fix":"wrong",
               "win":"right","confidence":"right"}},
    {"cause":"gone","diagnosis":"straggler"}, 7]})");
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->json["attempts"].as_int(), 1);
  EXPECT_EQ(reply->json["right"].as_int(), 1);
  EXPECT_EQ(reply->json["median_ms"].as_int(), 94000);
  ASSERT_EQ(reply->json["ignored"].items().size(), 2U);
  EXPECT_EQ(reply->json["ignored"].items()[1]["index"].as_int(), 2);
  EXPECT_FALSE(call_text("history", R"({})").has_value());
}

TEST(ApiCallTest, MeasurePrintsWithoutTheCause) {
  const auto reply = call_text("measure", R"({"drill":"first.1/1","measurement":"sm_clocks"})");
  ASSERT_TRUE(reply.has_value());
  EXPECT_FALSE(reply->json["prints"].items().empty());
  const std::string text = reply->json.dump();
  for (const catalog::Cause* cause : catalog::core_causes()) EXPECT_EQ(text.find(cause->id), std::string::npos);
  const auto unknown = call_text("measure", R"({"drill":"first.1/1","measurement":"bucket_log"})");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("sm_clocks"), std::string::npos);
}

// The reply holds two traces and nothing of what is wrong with which.
TEST(Call, ContrastGivesTwoTracesAndSaysNothingOfTheCause) {
  const auto reply = call_text("contrast", R"({"drill":"first.1/2"})");
  ASSERT_TRUE(reply.has_value()) << reply.error().text();
  const auto second_at = static_cast<size_t>(reply->json["runs"].items()[1]["at_bytes"].as_int());
  EXPECT_EQ(second_at % 8, 0U);
  EXPECT_EQ(reply->blob.substr(0, 4), "TDB1");
  EXPECT_EQ(reply->blob.substr(second_at, 4), "TDB1");
  const std::string text = lower(reply->json.dump());
  for (const catalog::Cause* cause : catalog::core_causes()) {
    EXPECT_EQ(text.find(cause->id), std::string::npos) << cause->id;
    EXPECT_EQ(text.find(lower(cause->title)), std::string::npos) << cause->title;
  }
  const auto reveal =
      call_text("contrast_reveal", R"({"drill":"first.1/2","commit":{"side":"b","diagnosis":"straggler"}})");
  ASSERT_TRUE(reveal.has_value()) << reveal.error().text();
  EXPECT_EQ(reveal->json["parts"].items()[0]["id"].as_string(), "side");
  EXPECT_EQ(reveal->json["parts"].items()[0]["grade"].as_string() == "right",
            reveal->json["faulty"].as_string() == "b");
  const auto no_side = call_text("contrast_reveal", R"({"drill":"first.1/2","commit":{"diagnosis":"straggler"}})");
  ASSERT_FALSE(no_side.has_value());
  EXPECT_EQ(no_side.error().where, "commit.side");
}

}  // namespace
}  // namespace td::api
