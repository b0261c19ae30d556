#include "base/json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/random.h"

namespace td {
namespace {

std::string again(std::string_view text) {
  const Result<Json> value = parse_json(text);
  return value ? value->dump() : "error: " + value.error().text();
}

TEST(ParseJson, RoundTripsEveryKind) {
  for (std::string_view text :
       {"null", "true", "false", "0", "-17", "9223372036854775807", "-9223372036854775808", R"("")", R"("a\"b\\c")",
        "[]", "{}", "[1,[2,[]],{}]", R"({"b":1,"a":[true,null]})", "0.930000", "-0.000001"})
    EXPECT_EQ(again(text), text);
}

TEST(ParseJson, LeavesOutWhiteSpaceAndKeepsOrder) {
  EXPECT_EQ(again(" {\n\t\"z\" : 1 ,\r\n \"a\" : [ 1 , 2 ] } "), R"({"z":1,"a":[1,2]})");
}

TEST(ParseJson, ReadsEscapes) {
  EXPECT_EQ(parse_json(R"("\b\f\n\r\t\/\u0041")")->as_string(), "\b\f\n\r\t/A");
  EXPECT_EQ(parse_json(R"("\u00e9\u20ac")")->as_string(), "\xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(parse_json(R"("\ud83d\ude00")")->as_string(), "\xf0\x9f\x98\x80");
}

TEST(ParseJson, ALoneSurrogateBecomesTheReplacementCharacter) {
  EXPECT_EQ(parse_json(R"("\ud83d")")->as_string(), "\xef\xbf\xbd");
  EXPECT_EQ(parse_json(R"("\ude00x")")->as_string(), "\xef\xbf\xbdx");
}

TEST(ParseJson, FractionsAreScaledIntegers) {
  EXPECT_EQ(parse_json("0.5")->as_millionths(), 500'000);
  EXPECT_EQ(parse_json("-12.000001")->as_millionths(), -12'000'001);
  EXPECT_EQ(parse_json("1.5e3")->as_millionths(), 1'500'000'000);
  EXPECT_EQ(parse_json("25e-2")->as_millionths(), 250'000);
  EXPECT_EQ(parse_json("0.0000005")->as_millionths(), 1);   // rounded to the nearest
  EXPECT_EQ(parse_json("0.00000049")->as_millionths(), 0);  // once, not digit by digit
  EXPECT_EQ(parse_json("3")->as_millionths(), 3'000'000);
}

TEST(ParseJson, NumbersBeyondInt64AreClamped) {
  EXPECT_EQ(parse_json("99999999999999999999")->as_int(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(parse_json("-99999999999999999999")->as_int(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(parse_json("1e999999999")->as_millionths(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(parse_json("1e-999999999")->as_millionths(), 0);
  EXPECT_EQ(parse_json("0e999")->as_millionths(), 0);
}

struct BadInput {
  const char* name;
  std::string text;
  size_t byte;        // where the message points
  const char* words;  // part of the message
};

class ParseJsonBad : public testing::TestWithParam<BadInput> {};

TEST_P(ParseJsonBad, SaysWhereAndWhat) {
  const Result<Json> value = parse_json(GetParam().text);
  ASSERT_FALSE(value.has_value());
  EXPECT_EQ(value.error().code, ErrorCode::malformed);
  EXPECT_EQ(value.error().where, "byte " + std::to_string(GetParam().byte));
  EXPECT_NE(value.error().message.find(GetParam().words), std::string::npos) << value.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, ParseJsonBad,
    testing::Values(
        BadInput{"empty", "", 0, "found the end"}, BadInput{"only_space", "  ", 2, "found the end"},
        BadInput{"bare_word", "nul", 0, "expected a value"}, BadInput{"two_values", "1 2", 2, "expected the end"},
        BadInput{"trailing_comma_in_array", "[1,]", 3, "expected a value"},
        BadInput{"missing_comma_in_array", "[1 2]", 3, "expected ',' or ']'"},
        BadInput{"open_array", "[1", 2, "expected ',' or ']'"},
        BadInput{"trailing_comma_in_object", R"({"a":1,})", 7, "expected a member name"},
        BadInput{"unquoted_key", "{a:1}", 1, "expected a member name"},
        BadInput{"missing_colon", R"({"a" 1})", 5, "expected ':'"},
        BadInput{"open_object", R"({"a":1)", 6, "expected ',' or '}'"},
        BadInput{"open_string", R"("abc)", 4, "string without an end"},
        BadInput{"control_character", "\"a\nb\"", 2, "control character"},
        BadInput{"unknown_escape", R"("\x")", 3, "unknown escape"},
        BadInput{"short_hex", R"("\u12")", 5, "four hex digits"},
        BadInput{"leading_zero", "012", 0, "must not begin with 0"}, BadInput{"lone_minus", "-", 1, "expected a digit"},
        BadInput{"no_digit_after_point", "1.", 2, "after '.'"}, BadInput{"no_digit_in_exponent", "1e+", 3, "exponent"},
        BadInput{"nul_byte", std::string("1\0", 2), 1, "expected the end"},
        BadInput{"too_deep", std::string(70, '['), 65, "64 levels"}),
    [](const auto& bad) { return std::string(bad.param.name); });

TEST(Json, AccessorsOfAnotherKindGiveTheDefault) {
  const Json text = Json::string("x");
  EXPECT_EQ(text.as_int(7), 7);
  EXPECT_EQ(text.as_millionths(8), 8);
  EXPECT_TRUE(text.as_bool(true));
  EXPECT_EQ(Json::integer(1).as_string("none"), "none");
  EXPECT_TRUE(text["key"].is_null());
  EXPECT_TRUE(text.items().empty());
  EXPECT_EQ(Json::fraction(2'900'000).as_int(), 2);
}

TEST(Json, TheLastOfTwoMembersCounts) {
  const Json value = parse_json(R"({"a":1,"a":2})").value();
  EXPECT_EQ(value["a"].as_int(), 2);
  EXPECT_EQ(value.members().size(), 2u);
}

TEST(Json, BuildersTurnNullIntoContainers) {
  Json value;
  value.set("list", Json().push(Json::integer(1)).push(Json())).set("x", Json::fraction(-930'000));
  EXPECT_EQ(value.dump(), R"({"list":[1,null],"x":-0.930000})");
}

TEST(Json, PrettyPrints) {
  const Json value = parse_json(R"({"a":[1,2],"b":{},"c":[]})").value();
  EXPECT_EQ(value.dump(2), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

TEST(QuoteJson, EscapesControlsAndKeepsUtf8) {
  EXPECT_EQ(quote_json("a\"\\\n\t\x01\x7f"), R"("a\"\\\n\t\u0001\u007f")");
  EXPECT_EQ(quote_json("\xc3\xa9"), "\"\xc3\xa9\"");
}

TEST(QuoteJson, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  const std::string replaced = "\"\xef\xbf\xbd\"";
  EXPECT_EQ(quote_json("\xff"), replaced);
  EXPECT_EQ(quote_json("\xc3"), replaced);                                            // cut short
  EXPECT_EQ(quote_json("\xc0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // overlong
  EXPECT_EQ(quote_json("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");  // a surrogate
}

// Any bytes quoted and read again give text that quotes the same; nothing crashes.
TEST(QuoteJson, IsStableForAnyBytes) {
  RandomStream stream(5, "bytes");
  for (int i = 0; i < 500; ++i) {
    std::string bytes;
    const int64_t length = stream.uniform_int(0, 24);
    for (int64_t k = 0; k < length; ++k) bytes += static_cast<char>(stream.uniform_int(0, 255));
    const std::string quoted = quote_json(bytes);
    const Result<Json> value = parse_json(quoted);
    ASSERT_TRUE(value.has_value()) << quoted;
    EXPECT_EQ(quote_json(value->as_string()), quoted);
    static_cast<void>(parse_json(bytes));
  }
}

}  // namespace
}  // namespace td
