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

}  // namespace
}  // namespace td::api
