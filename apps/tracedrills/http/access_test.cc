#include "tracedrills/http/access.h"

#include <gtest/gtest.h>

namespace td::app::http {
namespace {

TEST(Access, LoopbackNamesWithOurPortPass) {
  const Access access("127.0.0.1", 8420);
  for (const char* host : {"127.0.0.1:8420", "localhost:8420", "LocalHost:8420", "[::1]:8420"}) {
    EXPECT_TRUE(access.host_allowed(host)) << host;
  }
}

TEST(Access, OtherNamesAndPortsAreRefused) {
  const Access access("127.0.0.1", 8420);
  for (const char* host :
       {"", "evil.example:8420", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:18420", "localhost:8420.evil.example",
        "evil.example", "192.168.1.4:8420", "localhost.:8420", ":8420", "[::1]", "[::2]:8420"}) {
    EXPECT_FALSE(access.host_allowed(host)) << host;
  }
}

TEST(Access, PortEightyMayBeLeftOut) {
  const Access access("127.0.0.1", 80);
  EXPECT_TRUE(access.host_allowed("localhost"));
  EXPECT_TRUE(access.host_allowed("[::1]"));
  EXPECT_FALSE(access.host_allowed("localhost:8080"));
}

TEST(Access, BoundNamePassesToo) {
  const Access access("Box.lan", 8420);
  EXPECT_TRUE(access.host_allowed("box.lan:8420"));
  EXPECT_FALSE(access.host_allowed("other.lan:8420"));
  EXPECT_TRUE(Access("fe80::1", 8420).host_allowed("[fe80::1]:8420"));
}

TEST(Access, EveryInterfaceTakesAddressesButNoForeignNames) {
  const Access access("0.0.0.0", 8420, "box");
  EXPECT_TRUE(access.host_allowed("10.1.2.3:8420"));
  EXPECT_TRUE(access.host_allowed("[fe80::1]:8420"));
  EXPECT_TRUE(access.host_allowed("box:8420"));
  EXPECT_FALSE(access.host_allowed("rebound.example:8420"));
  EXPECT_FALSE(access.host_allowed("[rebound]:8420"));
}

TEST(Access, OriginMustBeTheOneThatWasServed) {
  EXPECT_TRUE(Access::origin_allowed("", "localhost:8420"));
  EXPECT_TRUE(Access::origin_allowed("http://localhost:8420", "localhost:8420"));
  for (const char* origin :
       {"null", "http://evil.example", "https://localhost:8420", "http://localhost:8421", "http://127.0.0.1:8420"}) {
    EXPECT_FALSE(Access::origin_allowed(origin, "localhost:8420")) << origin;
  }
}

TEST(Access, Loopback) {
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_TRUE(is_loopback("127.8.9.1"));
  EXPECT_TRUE(is_loopback("localhost"));
  EXPECT_TRUE(is_loopback("::1"));
  EXPECT_FALSE(is_loopback("0.0.0.0"));
  EXPECT_FALSE(is_loopback("127.example.com"));
}

}  // namespace
}  // namespace td::app::http
