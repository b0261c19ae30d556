#include "tracedrills/http/reply_cache.h"

#include <gtest/gtest.h>

namespace td::app::http {
namespace {

ReplyCache::Entry of_size(size_t bytes, char fill = 'x') {
  return {std::make_shared<const std::string>(bytes, fill), true};
}

TEST(ReplyCache, GivesBackWhatWasPut) {
  ReplyCache cache(1000);
  EXPECT_EQ(cache.find("a").body, nullptr);
  cache.put("a", of_size(10, 'q'));
  ASSERT_NE(cache.find("a").body, nullptr);
  EXPECT_EQ(*cache.find("a").body, std::string(10, 'q'));
  EXPECT_TRUE(cache.find("a").framed);
}

TEST(ReplyCache, DropsTheLeastRecentlyUsed) {
  ReplyCache cache(404);  // four entries of 100 + 1
  for (const char* key : {"a", "b", "c", "d"}) cache.put(key, of_size(100));
  EXPECT_NE(cache.find("a").body, nullptr);  // now b is the oldest
  cache.put("e", of_size(100));
  EXPECT_EQ(cache.find("b").body, nullptr);
  EXPECT_NE(cache.find("a").body, nullptr);
  EXPECT_NE(cache.find("e").body, nullptr);
  EXPECT_EQ(cache.size_bytes(), 404U);
}

TEST(ReplyCache, LargeRepliesAreNotKept) {
  ReplyCache cache(400);
  cache.put("big", of_size(100));
  EXPECT_EQ(cache.find("big").body, nullptr);
  EXPECT_EQ(cache.size_bytes(), 0U);
}

TEST(ReplyCache, PuttingTwiceCountsOnce) {
  ReplyCache cache(1000);
  cache.put("a", of_size(100));
  cache.put("a", of_size(100));
  EXPECT_EQ(cache.size_bytes(), 101U);
}

}  // namespace
}  // namespace td::app::http
