// Names of problems. A name says which problem it is to everybody alike, and to nobody of which category.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arithmetic/category.h"
#include "arithmetic/problem.h"
#include "base/result.h"

namespace td::arithmetic {

// "math.1/" and twelve hexadecimal digits: the seed and a tag of the category's id, stirred. A category that is added
// later changes no name. The version rises when what a seed gives changes.
std::string problem_name(std::string_view category_id, uint32_t seed);

struct NamedProblem {
  const Category* category = nullptr;
  uint32_t seed = 0;
};

// malformed or not_found for what is no name of a problem.
Result<NamedProblem> parse_problem_name(std::string_view name);

}  // namespace td::arithmetic
