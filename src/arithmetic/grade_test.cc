#include "arithmetic/grade.h"

#include <gtest/gtest.h>

#include "arithmetic/card.h"
#include "arithmetic/pick.h"
#include "arithmetic/term.h"

namespace td::arithmetic {
namespace {

// 2.62 GB over 8 ranks at 450 GB/s: 10.2 ms.
Problem ring() {
  Worksheet sheet("ring_all_reduce");
  const Term size = sheet.input("size", "", 2.62, "GB");
  const Term rate = sheet.input("bandwidth", "", 450, "GB/s");
  const Term time = sheet.step("", size * term(1.75) / rate);
  sheet.slip("both directions", time.value() / 2, "The headline rate adds both directions.");
  sheet.slip("n times the buffer", time.value() * 8, "The ring splits the buffer.");
  return sheet.number(time, "ms");
}

Judgement judged(std::string_view text) { return grade(ring(), *parse_answer(text, ring())); }

TEST(Grade, ByHand) {
  EXPECT_EQ(answer_text(ring()), "10.2 ms");
  EXPECT_EQ(judged("10 ms").grade, Grade::right);
  EXPECT_EQ(judged("11.2 ms").grade, Grade::right);
  EXPECT_EQ(judged("11.3 ms").grade, Grade::close);
  EXPECT_EQ(judged("20 ms").grade, Grade::close);
  EXPECT_EQ(judged("21 ms").grade, Grade::wrong);
  EXPECT_EQ(judged("0 ms").grade, Grade::wrong);
}

TEST(Grade, SlipsByName) {
  EXPECT_EQ(judged("5.1 ms").grade, Grade::close);
  EXPECT_EQ(judged("5.1 ms").slip, "both directions");
  EXPECT_NE(judged("5.1 ms").why.find("headline rate"), std::string::npos);
  EXPECT_EQ(judged("82 ms").grade, Grade::wrong);
  EXPECT_EQ(judged("82 ms").slip, "n times the buffer");
  EXPECT_EQ(judged("1.27 ms").slip, "you counted bits");
  EXPECT_EQ(judged("20.4 ms").slip, "a factor of 2");
  EXPECT_EQ(judged("10.2 s").slip, "1000x: a prefix");
  EXPECT_EQ(judged("10.433 s").slip, "1024x: a prefix");
  EXPECT_EQ(judged("10 s").slip, "1000x: a prefix");
  EXPECT_EQ(judged("15 ms").slip, "");
  EXPECT_NE(judged("15 ms").why.find("The reflex is there"), std::string::npos);
}

TEST(Pick, TheWeakestComesFirstButNotAlways) {
  const auto core = core_categories();
  std::vector<Attempt> attempts;
  for (const Category* category : core) {
    for (int i = 0; i < 6; ++i) {
      attempts.push_back({.category = std::string(category->id),
                          .grade = category->id == "kv_capacity" ? Grade::wrong : Grade::right});
    }
  }
  int weakest = 0;
  int other = 0;
  for (uint32_t seed = 0; seed < 200; ++seed)
    ++(pick_weakest(core, attempts, seed).id == "kv_capacity" ? weakest : other);
  EXPECT_GT(weakest, 80);
  EXPECT_GT(other, 60);
}

TEST(Pick, WhatCountsAsKnown) {
  const auto score = [](Attempt attempt) { return expected_score("x", std::vector<Attempt>{attempt}); };
  EXPECT_DOUBLE_EQ(expected_score("x", {}), 0.5);
  EXPECT_DOUBLE_EQ(score({.category = "x", .grade = Grade::right}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score({.category = "x", .grade = Grade::close}), 1.5 / 3);
  EXPECT_DOUBLE_EQ(score({.category = "x", .grade = Grade::wrong}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(score({.category = "x", .grade = Grade::right, .in_time = false}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(score({.category = "x", .grade = Grade::right, .open_book = true}), 0.5);
  EXPECT_DOUBLE_EQ(score({.category = "y", .grade = Grade::right}), 0.5);
}

TEST(Pick, Tally) {
  const std::vector<Attempt> attempts = {
      {.category = "x", .grade = Grade::right, .elapsed_ms = 30'000},
      {.category = "x", .grade = Grade::close, .elapsed_ms = 10'000},
      {.category = "x", .grade = Grade::right, .in_time = false, .elapsed_ms = 130'000}};
  const Tally sum = tally(attempts);
  EXPECT_EQ(sum.count, 3);
  EXPECT_EQ(sum.right, 1);
  EXPECT_EQ(sum.close, 1);
  EXPECT_EQ(sum.miss, 1);
  EXPECT_EQ(sum.median_ms.value_or(0), 30'000);
  EXPECT_FALSE(tally({}).median_ms.has_value());
}

TEST(Cards, AskBothWaysWithASourceAndAreRightWhenAnswered) {
  int forwards = 0;
  int backwards = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Problem card = draw_card(seed);
    EXPECT_FALSE(card.source.empty());
    ++(card.asks_verdict() ? backwards : forwards);
    const Result<Answer> typed = parse_answer(answer_text(card), card);
    ASSERT_TRUE(typed.has_value()) << card.question << " " << typed.error().text();
    EXPECT_EQ(grade(card, *typed).grade, Grade::right) << card.question;
  }
  EXPECT_GT(forwards, 120);
  EXPECT_GT(backwards, 40);
  EXPECT_EQ(*parse_card_name(card_name(17)), 17U);
  EXPECT_FALSE(parse_card_name("card.1/").has_value());
}

// A data sheet's headline for NVLink is the sum of both directions.
TEST(Cards, TheHeadlineLinkRateIsASlip) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    const Problem card = draw_card(seed);
    if (!card.question.starts_with("H100 SXM: link")) continue;
    const Judgement judgement = grade(card, *parse_answer("900 GB/s", card));
    EXPECT_EQ(judgement.grade, Grade::close);
    EXPECT_EQ(judgement.slip, "both directions");
    return;
  }
  FAIL() << "no such card";
}

}  // namespace
}  // namespace td::arithmetic
