#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace td {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorCode::invalid_argument, "expected an even number", "value 7");
  return value / 2;
}

Result<int> quarter(int value) {
  const int once = TRY(half(value));
  return TRY(half(once));
}

Status check_even(int value) {
  if (value % 2 != 0) return fail(ErrorCode::malformed, "odd");
  return {};
}

Status check_both(int a, int b) {
  TRY_OK(check_even(a));
  TRY_OK(check_even(b));
  return {};
}

TEST(Try, GivesTheValueOrReturnsTheError) {
  EXPECT_EQ(quarter(12).value(), 3);
  const Result<int> odd = quarter(6);
  ASSERT_FALSE(odd.has_value());
  EXPECT_EQ(odd.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(odd.error().text(), "value 7: expected an even number");
}

TEST(Try, MovesWhatCannotBeCopied) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(5); };
  const auto use = [&]() -> Result<int> {
    const std::unique_ptr<int> owned = TRY(make());
    return *owned;
  };
  EXPECT_EQ(use().value(), 5);
}

TEST(TryOk, StopsAtTheFirstError) {
  EXPECT_TRUE(check_both(2, 4).has_value());
  EXPECT_EQ(check_both(2, 5).error().code, ErrorCode::malformed);
  EXPECT_EQ(check_both(3, 4).error().text(), "odd");
}

TEST(ErrorCodes, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (ErrorCode code : {ErrorCode::not_found, ErrorCode::invalid_argument, ErrorCode::malformed,
                         ErrorCode::unsupported, ErrorCode::io, ErrorCode::cancelled, ErrorCode::internal})
    names.insert(to_string(code));
  EXPECT_EQ(names.size(), 7u);
  EXPECT_EQ(to_string(ErrorCode::not_found), "not_found");
}

TEST(QuoteShort, IsCutBetweenCharacters) {
  EXPECT_EQ(quote_short(""), "\"\"");
  EXPECT_EQ(quote_short("first.1/x"), "\"first.1/x\"");
  const std::string whole(80, 'a');
  EXPECT_EQ(quote_short(whole), "\"" + whole + "\"");
  EXPECT_EQ(quote_short(whole + "b"), "\"" + whole + "...\"");
  // The three bytes of U+20AC would stand at 79 to 81.
  EXPECT_EQ(quote_short(std::string(79, 'a') + "\xe2\x82\xac"), "\"" + std::string(79, 'a') + "...\"");
  EXPECT_EQ(quote_short(std::string(1000000, '\x80')).size(), 77U + 5U) << "no UTF-8 at all";
}

}  // namespace
}  // namespace td
