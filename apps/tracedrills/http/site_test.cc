#include "tracedrills/http/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "tracedrills/http/assets.h"

namespace td::app::http {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHost = "127.0.0.1:8420";

Request get(std::string path) {
  Request request;
  request.method = "GET";
  request.path = std::move(path);
  request.host = kHost;
  return request;
}

Request post(std::string method, std::string body) {
  Request request = get("/api/v1/" + method);
  request.method = "POST";
  request.content_type = "application/json";
  request.body = std::move(body);
  return request;
}

std::string header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return {};
}

// A site whose methods are: open and reveal (a blob), catalog (none), and fail, which gives the error asked for.
class SiteTest : public ::testing::Test {
 protected:
  SiteOptions options() {
    return {.access = Access("127.0.0.1", 8420),
            .version = "1.2.3",
            .methods = {"catalog", "fail", "open", "reveal"},
            .queued = {"open", "reveal"},
            .cache_key =
                [](std::string_view method, const Json& request) {
                  return method == "open" ? std::string(request["drill"].as_string()) : std::string();
                },
            .call = [this](std::string_view method, const Json& request) { return answer(method, request); },
            .on_idle = {}};
  }

  Result<api::Reply> answer(std::string_view method, const Json& request) {
    ++calls_;
    if (method == "fail") return fail(static_cast<ErrorCode>(request["code"].as_int()), "what was wrong", "there");
    api::Reply reply;
    reply.json.set("drill", request["drill"]);
    if (method != "catalog") reply.blob = "BLOB";
    return reply;
  }

  std::atomic<int> calls_ = 0;
  Site site_{options()};
};

TEST_F(SiteTest, ReplyWithoutBlobIsPlainJson) {
  const Response response = site_.handle(post("catalog", R"({"drill":"first.1/7"})"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(response.body, R"({"drill":"first.1/7"})");
}

TEST_F(SiteTest, ReplyWithBlobIsFramed) {
  const Response response = site_.handle(post("open", R"({"drill":"first.1/7"})"));
  EXPECT_EQ(response.content_type, "application/x-tracedrills");
  EXPECT_EQ(response.body, std::string_view("TDR1\x15\0\0\0{\"drill\":\"first.1/7\"}BLOB", 8 + 21 + 4));
}

TEST_F(SiteTest, OpeningAgainComesFromTheCache) {
  const std::string first(site_.handle(post("open", R"({"drill":"first.1/7"})")).body);
  EXPECT_EQ(site_.handle(post("open", R"( { "drill" : "first.1/7" } )")).body, first);
  EXPECT_EQ(site_.handle(post("open", R"({"drill":"first.1/7","x":1})")).body, first) << "what it does not look at";
  EXPECT_EQ(calls_, 1);
  site_.handle(post("open", R"({"drill":"first.1/8"})"));
  EXPECT_EQ(calls_, 2);
  site_.handle(post("open", "{}"));
  site_.handle(post("open", "{}"));
  EXPECT_EQ(calls_, 4) << "without a key nothing is kept";
}

TEST_F(SiteTest, RevealIsNeverKept) {
  for (int i = 0; i < 3; ++i) site_.handle(post("reveal", R"({"drill":"first.1/7"})"));
  EXPECT_EQ(calls_, 3);
}

TEST_F(SiteTest, ErrorsAreNotKept) {
  SiteOptions with = options();
  with.cache_key = [](std::string_view, const Json&) { return std::string("key"); };
  Site site(std::move(with));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(site.handle(post("fail", R"({"code":0})")).status, 404);
  EXPECT_EQ(calls_, 2);
}

TEST_F(SiteTest, EachErrorCodeHasItsStatus) {
  const std::pair<ErrorCode, int> expected[] = {{ErrorCode::not_found, 404}, {ErrorCode::invalid_argument, 400},
                                                {ErrorCode::malformed, 400}, {ErrorCode::unsupported, 422},
                                                {ErrorCode::io, 500},        {ErrorCode::internal, 500}};
  for (const auto& [code, status] : expected) {
    const Response response = site_.handle(post("fail", "{\"code\":" + std::to_string(static_cast<int>(code)) + "}"));
    EXPECT_EQ(response.status, status) << to_string(code);
    EXPECT_EQ(response.body, R"({"error":{"code":")" + std::string(to_string(code)) +
                                 R"(","message":"what was wrong","where":"there"}})");
  }
}

TEST_F(SiteTest, UnknownMethodListsTheValidOnes) {
  const Response response = site_.handle(post("opne", "{}"));
  EXPECT_EQ(response.status, 404);
  EXPECT_THAT(std::string(response.body), HasSubstr("catalog, fail, open, reveal"));
  EXPECT_EQ(calls_, 0);
}

TEST_F(SiteTest, BadBodiesAreNamed) {
  for (const char* body : {"", "{", "[]", "7", "{} {}", "\xff\xfe"}) {
    const Response response = site_.handle(post("catalog", body));
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_THAT(std::string(response.body), HasSubstr("malformed")) << body;
  }
  EXPECT_EQ(calls_, 0);
}

TEST_F(SiteTest, ForeignHostAndOriginAreRefusedWhateverThePath) {
  for (Request request : {get("/"), get("/api/v1/"), post("catalog", "{}"), post("nope", "{}")}) {
    request.host = "rebound.example:8420";
    EXPECT_EQ(site_.handle(request).status, 403);
    request.host = kHost;
    request.origin = "http://evil.example";
    EXPECT_EQ(site_.handle(request).status, 403);
  }
  EXPECT_EQ(calls_, 0);
}

TEST_F(SiteTest, FormsOfOtherSitesCannotCall) {
  for (const char* type :
       {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"}) {
    Request request = post("catalog", "{}");
    request.content_type = type;
    EXPECT_EQ(site_.handle(request).status, 415) << type;
  }
  Request request = post("catalog", "{}");
  request.content_type = "Application/JSON ; charset=utf-8";
  EXPECT_EQ(site_.handle(request).status, 200);
}

TEST_F(SiteTest, OnlyPostCallsAndOnlyGetReads) {
  Request request = post("catalog", "{}");
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}) {
    request.method = method;
    const Response response = site_.handle(request);
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(header(response, "Allow"), "POST");
  }
  request = get("/");
  request.method = "POST";
  EXPECT_EQ(site_.handle(request).status, 405);
}

TEST_F(SiteTest, LargeAndBrokenBodiesAreRefused) {
  Request request = post("catalog", "");
  request.too_large = true;
  EXPECT_EQ(site_.handle(request).status, 413);
  request.too_large = false;
  request.cut_short = true;
  EXPECT_EQ(site_.handle(request).status, 400);
  EXPECT_EQ(calls_, 0);
}

TEST_F(SiteTest, EveryResponseCarriesThePolicy) {
  for (const Request& request : {get("/"), get("/nope"), get("/api/v1/"), post("catalog", "{}"), post("nope", "")}) {
    const Response response = site_.handle(request);
    EXPECT_THAT(header(response, "Content-Security-Policy"), HasSubstr("default-src 'none'")) << request.path;
    EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header(response, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header(response, "Cross-Origin-Opener-Policy"), "");
    EXPECT_EQ(header(response, "Access-Control-Allow-Origin"), "");
  }
}

TEST_F(SiteTest, ThePageIsServedPackedOrNotAndOnlyWhenChanged) {
  Request request = get("/");
  const Response plain = site_.handle(request);
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(header(plain, "Cache-Control"), "no-cache");
  EXPECT_THAT(std::string(plain.body), HasSubstr("<!doctype html>"));
  request.accepts_gzip = true;
  const Response packed = site_.handle(request);
  EXPECT_EQ(header(packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(packed.body.substr(0, 2), "\x1f\x8b");
  EXPECT_LT(packed.body.size(), plain.body.size());
  request.if_none_match = header(plain, "ETag");
  const Response unchanged = site_.handle(request);
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_TRUE(unchanged.body.empty());
}

TEST_F(SiteTest, NoPathLeadsToAFile) {
  for (const char* path :
       {"/../etc/passwd", "//etc/passwd", "/./index.html", "/index.html/", "/etc/passwd", "", "/%2e%2e/x"}) {
    EXPECT_EQ(site_.handle(get(path)).status, 404) << path;
  }
}

TEST_F(SiteTest, CallsBeyondTheWorkersWaitAndThenAreTurnedAway) {
  std::latch running(1);
  std::latch release(1);
  SiteOptions with = options();
  with.workers = 1;
  with.busy_after_ms = 10;
  with.call = [&](std::string_view, const Json&) -> Result<api::Reply> {
    running.count_down();
    release.wait();
    return api::Reply{.json = Json::object(), .blob = {}};
  };
  Site site(std::move(with));
  std::thread first([&] { EXPECT_EQ(site.handle(post("reveal", "{}")).status, 200); });
  running.wait();
  const Response second = site.handle(post("reveal", "{}"));
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(header(second, "Retry-After"), "5");
  release.count_down();
  first.join();
  EXPECT_EQ(site.handle(post("reveal", "{}")).status, 200);
}

TEST_F(SiteTest, OnlySimulationsQueueAndOnlySoMany) {
  std::latch running(1);
  std::latch release(1);
  std::atomic<int> idle = 0;
  SiteOptions with = options();
  with.workers = 1;
  with.max_waiting = 1;
  with.busy_after_ms = 60'000;
  with.on_idle = [&] { ++idle; };
  with.call = [&](std::string_view method, const Json&) -> Result<api::Reply> {
    if (method == "reveal") {
      if (!running.try_wait()) running.count_down();
      release.wait();
    }
    return api::Reply{.json = Json::object(), .blob = {}};
  };
  Site site(std::move(with));
  std::thread first([&] { EXPECT_EQ(site.handle(post("reveal", "{}")).status, 200); });
  running.wait();
  EXPECT_EQ(site.handle(post("catalog", "{}")).status, 200) << "beside the simulation";
  // Of two, one waits and the other is turned away at once, not after a minute.
  std::atomic<int> refused = 0;
  std::atomic<int> answered = 0;
  const auto call = [&] { ++(site.handle(post("reveal", "{}")).status == 503 ? refused : answered); };
  std::thread second(call);
  std::thread third(call);
  while (refused == 0) std::this_thread::yield();
  EXPECT_EQ(idle, 0);
  release.count_down();
  for (std::thread* thread : {&first, &second, &third}) thread->join();
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(answered, 1);
  EXPECT_EQ(idle, 1);
}

TEST(Assets, TypesAndHashedNames) {
  EXPECT_EQ(media_type("app.js"), "text/javascript; charset=utf-8");
  EXPECT_EQ(media_type("core.wasm"), "application/wasm");
  EXPECT_EQ(media_type("what"), "application/octet-stream");
  EXPECT_TRUE(is_hashed_name("app-QJ2L7XPA.js"));
  EXPECT_FALSE(is_hashed_name("app.js"));
  EXPECT_FALSE(is_hashed_name("my-settings.js"));
  EXPECT_EQ(find_asset("/app-nothing.js"), nullptr);
  EXPECT_EQ(find_asset("index.html"), nullptr);
  EXPECT_NE(find_asset("/index.html"), nullptr);
}

}  // namespace
}  // namespace td::app::http
