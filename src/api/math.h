// Requests of the mental-math methods: which problem is meant, and what was attempted before.
#pragma once

#include <string>
#include <vector>

#include "arithmetic/category.h"
#include "arithmetic/pick.h"
#include "arithmetic/problem.h"
#include "base/json.h"
#include "base/result.h"

namespace td::api {

struct AskedProblem {
  std::string name;  // "math.1/...", "card.1/7", or a drill's name for the sum that its trace asks
  arithmetic::Problem problem;
  bool names_category = false;  // asked by category: nothing is given away by saying it
};

// From {"problem":NAME} or {"category":ID,"seed":N}; the seed may be a number or its text.
Result<AskedProblem> required_problem(const Json& request);

// "set": "core" (also if absent), "all" or a list of ids. Never empty.
Result<std::vector<const arithmetic::Category*>> required_set(const Json& request);

// "attempts": [{"category","grade","in_time","open_book","elapsed_ms"}], oldest first; absent is none. At most 10,000.
Result<std::vector<arithmetic::Attempt>> required_attempts(const Json& request);

// "seed", a whole number from 0 to 4294967295 or its text.
Result<uint32_t> required_seed(const Json& request);

}  // namespace td::api
