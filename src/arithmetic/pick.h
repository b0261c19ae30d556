// What comes next, and how it went so far. Attempts are kept by whoever calls and passed in; nothing is remembered
// here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arithmetic/category.h"
#include "arithmetic/grade.h"

namespace td::arithmetic {

struct Attempt {
  std::string category;
  Grade grade = Grade::wrong;
  bool in_time = true;     // false: a miss, whatever the grade
  bool open_book = false;  // the reference page was open: does not count for what is known by heart
  int64_t elapsed_ms = 0;
};

// The eight that are on by default, or all.
std::vector<const Category*> core_categories();

// One of the set, all equally likely. The set must not be empty.
const Category& pick_any(std::span<const Category* const> set, uint32_t seed);

// One of the three weakest of the set, the weakest in half of the draws: always the same one would tell the category
// before the answer. Weakness is the expected score of the last ten closed-book attempts (right 1, close 1/2, else 0;
// one success and one failure are assumed beforehand, so that what was never tried comes before what goes well).
const Category& pick_weakest(std::span<const Category* const> set, std::span<const Attempt> attempts, uint32_t seed);

// Expected score of a category, 0..1, as above.
double expected_score(std::string_view category, std::span<const Attempt> attempts);

struct Tally {
  int64_t count = 0;
  int64_t right = 0;
  int64_t close = 0;
  int64_t wrong = 0;
  int64_t miss = 0;  // over the time; counted here alone
  int64_t open_book = 0;
  std::optional<int64_t> median_ms;  // of all
};

Tally tally(std::span<const Attempt> attempts);

}  // namespace td::arithmetic
