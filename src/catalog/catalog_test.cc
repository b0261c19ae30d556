#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace td::catalog {
namespace {

TEST(Catalog, HoldsTheElevenCoreCausesAndCannotTell) {
  const std::set<std::string_view> expected = {
      "healthy",          "unoverlapped_allreduce",     "input_starvation", "launch_bound",
      "straggler",        "memory_bound_kernel",        "sync_stalls",      "pipeline_bubbles",
      "allocator_stalls", "bandwidth_bound_collective", "recompilation",    "inconclusive"};
  std::set<std::string_view> found;
  for (const Cause* cause : core_causes()) found.insert(cause->id);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(core_causes().back()->id, kInconclusive);
}

TEST(Catalog, EveryReferenceResolves) {
  for (const Cause& cause : all_causes()) {
    SCOPED_TRACE(std::string(cause.id));
    EXPECT_FALSE(cause.title.empty());
    EXPECT_FALSE(cause.meaning.empty());
    EXPECT_FALSE(cause.decides.empty());
    EXPECT_FALSE(cause.confirm.empty());
    EXPECT_FALSE(cause.fix.empty());
    EXPECT_FALSE(cause.confirms.empty());
    EXPECT_FALSE(cause.fixes.empty());
    EXPECT_EQ(cause.deciding_number.empty(), cause.deciding_unit.empty());
    EXPECT_EQ(cause.code_before.empty(), cause.code_after.empty());
    for (std::string_view id : cause.twins) {
      EXPECT_NE(find_cause(id), nullptr) << id;
      EXPECT_NE(id, cause.id);
    }
    for (std::string_view id : cause.confirms) EXPECT_NE(find_choice(all_measurements(), id), nullptr) << id;
    for (std::string_view id : cause.fixes) EXPECT_NE(find_choice(all_fixes(), id), nullptr) << id;
  }
}

TEST(Catalog, EveryChoiceIsRightForSomeCause) {
  std::set<std::string_view> used;
  for (const Cause& cause : all_causes()) {
    used.insert(cause.confirms.begin(), cause.confirms.end());
    used.insert(cause.fixes.begin(), cause.fixes.end());
  }
  for (const Choice& choice : all_measurements()) EXPECT_TRUE(used.contains(choice.id)) << choice.id;
  for (const Choice& choice : all_fixes()) EXPECT_TRUE(used.contains(choice.id)) << choice.id;
}

TEST(Catalog, LooksUpById) {
  ASSERT_NE(find_cause("straggler"), nullptr);
  EXPECT_EQ(find_cause("straggler")->title, "straggler rank");
  EXPECT_EQ(find_cause("stragglers"), nullptr);
}

}  // namespace
}  // namespace td::catalog
