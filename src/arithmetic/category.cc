#include "arithmetic/category.h"

#include <string>

namespace td::arithmetic {
namespace {

// Enough that a wish which one draw in thirty can meet fails less than once in 10^14 seeds.
constexpr int kMostDraws = 1000;

}  // namespace

Result<const Category*> find_category(std::string_view id) {
  std::string ids;
  for (const Category& category : all_categories()) {
    if (category.id == id) return &category;
    ids += (ids.empty() ? "" : ", ") + std::string(category.id);
  }
  return fail(ErrorCode::not_found, "no category " + quote_short(id) + ", expected one of " + ids);
}

Result<Problem> generate(const Category& category, uint32_t seed) {
  std::string purpose = "arithmetic/";
  purpose += category.id;
  RandomStream wishes(seed, purpose + "/wish");
  Wish wish;
  wish.variant = static_cast<int>(wishes.uniform_int(0, category.variants - 1));
  wish.yes = wishes.chance_permille(500);
  RandomStream stream(seed, purpose);
  for (int i = 0; i < kMostDraws; ++i) {
    std::optional<Problem> problem = category.draw(stream, wish);
    if (!problem) continue;
    problem->seed = seed;
    return *std::move(problem);
  }
  return fail(ErrorCode::internal, "no problem could be drawn", std::string(category.id));
}

}  // namespace td::arithmetic
