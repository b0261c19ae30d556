#include "arithmetic/answer.h"

#include <gtest/gtest.h>

#include <string>

#include "arithmetic/number.h"
#include "arithmetic/term.h"

namespace td::arithmetic {
namespace {

Problem asks(std::string_view symbol) {
  Worksheet sheet("test");
  sheet.ask("?");
  return sheet.number(term(1, symbol), symbol);
}

double value_of(std::string_view text, std::string_view symbol) {
  const Result<Answer> answer = parse_answer(text, asks(symbol));
  EXPECT_TRUE(answer.has_value()) << text << ": " << answer.error().text();
  return answer ? answer->quantity.value : -1;
}

std::string error_of(std::string_view text, std::string_view symbol) {
  const Result<Answer> answer = parse_answer(text, asks(symbol));
  EXPECT_FALSE(answer.has_value()) << text;
  if (answer) return "";
  EXPECT_EQ(answer.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(answer.error().where, "answer");
  return answer.error().message;
}

TEST(Number, EverySpelling) {
  const auto number = [](std::string_view text) { return parse_number(text)->value; };
  EXPECT_DOUBLE_EQ(number("295"), 295);
  EXPECT_DOUBLE_EQ(number("1.3"), 1.3);
  EXPECT_DOUBLE_EQ(number(".5"), 0.5);
  EXPECT_DOUBLE_EQ(number("1,300"), 1300);
  EXPECT_DOUBLE_EQ(number("1,234,567.5"), 1234567.5);
  EXPECT_DOUBLE_EQ(number("3e9"), 3e9);
  EXPECT_DOUBLE_EQ(number("3E-3"), 3e-3);
  EXPECT_DOUBLE_EQ(number("2^20"), 1048576);
  EXPECT_DOUBLE_EQ(number("10^9"), 1e9);
  EXPECT_DOUBLE_EQ(number("3 x 10^9"), 3e9);
  EXPECT_DOUBLE_EQ(number("3×10⁹"), 3e9);
  EXPECT_DOUBLE_EQ(number("5.1 × 10⁻³"), 5.1e-3);
  EXPECT_DOUBLE_EQ(number("7/8"), 0.875);
  EXPECT_DOUBLE_EQ(number("~40"), 40);
  EXPECT_DOUBLE_EQ(number("about 40"), 40);
  EXPECT_DOUBLE_EQ(number("  ≈ 40  "), 40);
  EXPECT_DOUBLE_EQ(number("$0.33"), 0.33);
  EXPECT_DOUBLE_EQ(number("100000000000000000000"), 1e20);
}

TEST(Number, WhatIsNone) {
  for (const char* text :
       {"", "x", "ten", "-5", "−5", "1,3", "1,30", "12,34,567", "1/0", "1e99", "9^99", "10^-99", "0^-1", "."}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

TEST(ParseAnswer, TheSpellingsOfTheManual) {
  EXPECT_DOUBLE_EQ(value_of("1.3 TB/s", "GB/s"), 1.3e12);
  EXPECT_DOUBLE_EQ(value_of("295", "FLOP/B"), 295);
  EXPECT_DOUBLE_EQ(value_of("4.2ms", "ms"), 4.2e-3);
  EXPECT_DOUBLE_EQ(value_of("~40 tok/s", "tok/s"), 40);
  EXPECT_DOUBLE_EQ(value_of("2^20", "B"), 1048576);
  EXPECT_DOUBLE_EQ(value_of("3e9", "B"), 3e9);
  EXPECT_DOUBLE_EQ(value_of("1,300", "tok/s"), 1300);
}

TEST(ParseAnswer, UnitsAsPeopleTypeThem) {
  EXPECT_DOUBLE_EQ(value_of("10", "ms"), 0.01);  // a bare number is in the unit asked for
  EXPECT_DOUBLE_EQ(value_of("10000 us", "ms"), 0.01);
  EXPECT_DOUBLE_EQ(value_of("10 µs", "ms"), 1e-5);
  EXPECT_DOUBLE_EQ(value_of("0.01 seconds", "ms"), 0.01);
  EXPECT_DOUBLE_EQ(value_of("2 min", "s"), 120);
  EXPECT_DOUBLE_EQ(value_of("1.5 hours", "days"), 5400);
  EXPECT_DOUBLE_EQ(value_of("10 MS", "ms"), 0.01);
  EXPECT_DOUBLE_EQ(value_of("450 GBps", "GB/s"), 450e9);
  EXPECT_DOUBLE_EQ(value_of("450 gb/s", "GB/s"), 450e9);
  EXPECT_DOUBLE_EQ(value_of("450 GB per second", "GB/s"), 450e9);
  EXPECT_DOUBLE_EQ(value_of("400 Gb/s", "GB/s"), 50e9);
  EXPECT_DOUBLE_EQ(value_of("400 Gbps", "GB/s"), 50e9);
  EXPECT_DOUBLE_EQ(value_of("3.2 Gbit", "GB"), 0.4e9);
  EXPECT_DOUBLE_EQ(value_of("1 GiB", "GB"), 1073741824);
  EXPECT_DOUBLE_EQ(value_of("320 KiB", "kB/tok"), 327680);
  EXPECT_DOUBLE_EQ(value_of("5 G", "GB"), 5e9);
  EXPECT_DOUBLE_EQ(value_of("989 TFLOPS", "TFLOP/s"), 989e12);
  EXPECT_DOUBLE_EQ(value_of("0.989 PFLOP/s", "TFLOP/s"), 989e12);
  EXPECT_DOUBLE_EQ(value_of("989T", "TFLOP/s"), 989e12);
  EXPECT_DOUBLE_EQ(value_of("295 flops/byte", "FLOP/B"), 295);
  EXPECT_DOUBLE_EQ(value_of("1.2k tokens/s", "tok/s"), 1200);
  EXPECT_DOUBLE_EQ(value_of("40 t/s", "tok/s"), 40);
  EXPECT_DOUBLE_EQ(value_of("40 tps", "tok/s"), 40);
  EXPECT_DOUBLE_EQ(value_of("64 regs", "registers"), 64);
  EXPECT_DOUBLE_EQ(value_of("64 Registers", "registers"), 64);
  EXPECT_DOUBLE_EQ(value_of("1.5k", "sequences"), 1500);
  EXPECT_DOUBLE_EQ(value_of("2x", "times"), 2);
  EXPECT_DOUBLE_EQ(value_of("$0.33", "$/Mtok"), 0.33e-6);
  EXPECT_DOUBLE_EQ(value_of("0.33 $/Mtok", "$/Mtok"), 0.33e-6);
}

TEST(ParseAnswer, Shares) {
  EXPECT_DOUBLE_EQ(value_of("17.9 %", "%"), 0.179);
  EXPECT_DOUBLE_EQ(value_of("17.9", "%"), 0.179);
  EXPECT_DOUBLE_EQ(value_of("0.179", "%"), 0.179);
  EXPECT_DOUBLE_EQ(value_of("40 percent", "%"), 0.4);
}

TEST(ParseAnswer, ErrorsSayWhatWasExpected) {
  EXPECT_NE(error_of("5 GB", "ms").find("expected a time such as 10 ms"), std::string::npos);
  EXPECT_NE(error_of("5 foo", "GB/s").find("no unit \"foo\": expected a bandwidth such as 10 GB/s"), std::string::npos);
  EXPECT_NE(error_of("", "GB").find("expected a number of bytes"), std::string::npos);
  EXPECT_NE(error_of("ten", "FLOP/B").find("expected a number first"), std::string::npos);
  EXPECT_NE(error_of("1,3 ms", "ms").find("a point before decimals"), std::string::npos);
  EXPECT_NE(error_of("-4 ms", "ms").find("not negative"), std::string::npos);
  EXPECT_NE(error_of(std::string(201, '1'), "ms").find("longer than 200"), std::string::npos);
  error_of("5 ms/s", "ms");
  error_of("5 GB/s", "GB");
}

TEST(ParseAnswer, Verdicts) {
  Worksheet sheet("test");
  const Problem bound = sheet.verdict(compute_or_memory(), "compute-bound");
  for (const char* text : {"compute", "Compute-bound", "compute bound", "COMPUTE", "flops"}) {
    EXPECT_EQ(parse_answer(text, bound)->verdict, "compute-bound") << text;
  }
  EXPECT_EQ(parse_answer("bandwidth", bound)->verdict, "memory-bound");
  const Result<Answer> unclear = parse_answer("yes", bound);
  ASSERT_FALSE(unclear.has_value());
  EXPECT_EQ(unclear.error().message, "\"yes\": expected compute-bound or memory-bound");
  Worksheet other("test");
  const Problem fits = other.verdict(yes_or_no(), "yes");
  for (const char* text : {"yes", "Y", "fits", "it fits"}) EXPECT_EQ(parse_answer(text, fits)->verdict, "yes") << text;
  for (const char* text : {"no", "N", "does not fit", "OOM"})
    EXPECT_EQ(parse_answer(text, fits)->verdict, "no") << text;
}

TEST(ParseAnswer, SaysHowItWasRead) {
  EXPECT_EQ(parse_answer("5100 us", asks("ms"))->read_as, "5.1 ms");
  EXPECT_EQ(parse_answer("400 Gb/s", asks("GB/s"))->read_as, "50 GB/s (8 bits a byte)");
}

}  // namespace
}  // namespace td::arithmetic
