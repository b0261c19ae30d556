#include "tracedrills/suggest.h"

#include <gtest/gtest.h>

#include <array>

namespace td::app {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"generate", "read", "serve"};

TEST(Suggest, SwappedLettersFindTheName) {
  EXPECT_EQ(no_such("command", "raed", kNames), R"(no command "raed"; did you mean "read"?)");
  EXPECT_EQ(no_such("command", "sreve", kNames), R"(no command "sreve"; did you mean "serve"?)");
}

TEST(Suggest, NothingCloseListsAll) {
  EXPECT_EQ(no_such("command", "profile", kNames), R"(no command "profile"; expected one of generate, read, serve)");
}

TEST(Suggest, LongWordsAreCut) { EXPECT_LT(no_such("command", std::string(100'000, 'x'), kNames).size(), 200U); }

}  // namespace
}  // namespace td::app
