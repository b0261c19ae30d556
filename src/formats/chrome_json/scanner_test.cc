#include "formats/chrome_json/scanner.h"

#include <gtest/gtest.h>

#include <string>

namespace td::formats::chrome {
namespace {

// Text as a window has it: with padding behind.
class Padded {
 public:
  explicit Padded(std::string_view text) : size_(text.size()), bytes_(text) { bytes_.append(kPadding, '\0'); }
  [[nodiscard]] Cursor cursor() const { return {bytes_.data(), bytes_.data() + size_}; }

 private:
  size_t size_;
  std::string bytes_;
};

std::string decoded(std::string_view raw, Mending* mending = nullptr) {
  Mending own;
  std::string out;
  decode({raw, raw.find('\\') != std::string_view::npos}, out, mending != nullptr ? *mending : own);
  return out;
}

TEST(ParseScaled, MicrosecondsToNanosecondsAreExact) {
  EXPECT_EQ(parse_scaled("0", 3), 0);
  EXPECT_EQ(parse_scaled("90", 3), 90'000);
  EXPECT_EQ(parse_scaled("1712197118381000.001", 3), 1712197118381000001);
  EXPECT_EQ(parse_scaled("1712197118381000.12", 3), 1712197118381000120);
  EXPECT_EQ(parse_scaled("9223372036854775.807", 3), INT64_MAX);
  EXPECT_EQ(parse_scaled("-5.25", 3), -5250);
  EXPECT_EQ(parse_scaled("+1", 3), 1000);
  EXPECT_EQ(parse_scaled(".5", 3), 500);
  EXPECT_EQ(parse_scaled("7.", 3), 7000);
  EXPECT_EQ(parse_scaled("000000000000000000000012.5", 3), 12'500);
}

TEST(ParseScaled, FurtherDigitsRoundHalfAwayFromZero) {
  EXPECT_EQ(parse_scaled("1.0004", 3), 1000);
  EXPECT_EQ(parse_scaled("1.0005", 3), 1001);
  EXPECT_EQ(parse_scaled("-1.0005", 3), -1001);
  EXPECT_EQ(parse_scaled("0.99999999999999999999", 3), 1000);
}

TEST(ParseScaled, TakesExponents) {
  EXPECT_EQ(parse_scaled("1.7121971183810001e15", 3), 1712197118381000100);
  EXPECT_EQ(parse_scaled("25e-1", 3), 2500);
  EXPECT_EQ(parse_scaled("5e-4", 3), 1);
  EXPECT_EQ(parse_scaled("4e-4", 3), 0);
  EXPECT_EQ(parse_scaled("0e9999", 3), 0);
}

TEST(ParseScaled, RefusesWhatIsNoNumberOrTooLarge) {
  for (std::string_view bad : {"", ".", "-", "abc", "100a", "1.2.3", "1e", "1e99", "0x10", " 1", "1 ", "nan", "inf",
                               "9223372036854775.808", "99999999999999999999", "1e123456"})
    EXPECT_EQ(parse_scaled(bad, 3), std::nullopt) << bad;
}

TEST(ParseInt, TakesDecimalAndHexadecimal) {
  EXPECT_EQ(parse_int("140339968804608"), 140339968804608);
  EXPECT_EQ(parse_int("-1"), -1);
  EXPECT_EQ(parse_int("0x1f"), 31);
  EXPECT_EQ(parse_int("9223372036854775807"), INT64_MAX);
  for (std::string_view bad :
       {"", "-", "1.0", "0x", "0xg", "9223372036854775808", "18446744073709551615", "0xffffffffffffffff"})
    EXPECT_EQ(parse_int(bad), std::nullopt) << bad;
}

TEST(ScanString, EndsAtTheFirstUnescapedQuote) {
  const Padded text(R"("a \" b \\" rest)");
  Cursor c = text.cursor();
  Text out;
  ASSERT_EQ(scan_string(c, out), Scan::ok);
  EXPECT_EQ(out.raw, R"(a \" b \\)");
  EXPECT_TRUE(out.escaped);
  EXPECT_EQ(std::string_view(c.at, 5), " rest");
}

TEST(ScanString, AsksForMoreAtEveryCut) {
  const std::string whole = R"("a long string with \" and \\ in it, over a word")";
  for (size_t size = 1; size < whole.size(); ++size) {
    const Padded text(std::string_view(whole).substr(0, size));
    Cursor c = text.cursor();
    Text out;
    EXPECT_EQ(scan_string(c, out), Scan::more) << size;
  }
}

TEST(ScanValue, TellsTheKinds) {
  const auto kind = [](std::string_view json) {
    const Padded text(json);
    Cursor c = text.cursor();
    Value value;
    EXPECT_EQ(scan_value(c, value), Scan::ok) << json;
    return value.kind;
  };
  EXPECT_EQ(kind("\"x\","), Value::Kind::string);
  EXPECT_EQ(kind("-1.5e3}"), Value::Kind::scalar);
  EXPECT_EQ(kind("N/A,"), Value::Kind::scalar);
  EXPECT_EQ(kind("[1,{\"a\":\"]\"}],"), Value::Kind::array);
  EXPECT_EQ(kind("{\"a\":[}]},"), Value::Kind::object);
}

TEST(ScanValue, AScalarAtTheEndOfTheWindowMayGoOn) {
  const Padded text("123");
  Cursor c = text.cursor();
  Value value;
  EXPECT_EQ(scan_value(c, value), Scan::more);
  EXPECT_EQ(c.at, text.cursor().at);
}

TEST(Decode, ResolvesEscapesAndPairs) {
  EXPECT_EQ(decoded(R"(a\n\t\"\\\/\u00e9\ud83d\ude00)"), "a\n\t\"\\/\xC3\xA9\xF0\x9F\x98\x80");
}

TEST(Decode, MendsWhatIsBrokenAndSaysSo) {
  Mending mending;
  EXPECT_EQ(decoded(R"(torch\cuda\__init__.py)", &mending), R"(torch\cuda\__init__.py)");
  EXPECT_TRUE(mending.bad_escape);
  EXPECT_FALSE(mending.bad_utf8);
  mending = {};
  EXPECT_EQ(decoded(R"(\ud83d!)", &mending), "\xEF\xBF\xBD!");
  EXPECT_EQ(decoded("a\xFF\xC3", &mending), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_TRUE(mending.bad_utf8);
  EXPECT_EQ(decoded("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "overlong";
  EXPECT_EQ(decoded("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "surrogate";
}

TEST(UnknownWord, JsonDialectsAreKnown) {
  for (std::string_view known : {"null", "true", "NaN", "-Infinity", "inf", "1.5", "-3e9"})
    EXPECT_FALSE(is_unknown_word(known)) << known;
  for (std::string_view unknown : {"N/A", "None", "undefined", "1.2.3"})
    EXPECT_TRUE(is_unknown_word(unknown)) << unknown;
}

}  // namespace
}  // namespace td::formats::chrome
