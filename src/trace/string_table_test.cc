#include "trace/string_table.h"

#include <gtest/gtest.h>

#include <string>

namespace td::trace {
namespace {

TEST(StringTable, GivesEachStringOneIdInOrderOfFirstUse) {
  StringTable table;
  EXPECT_EQ(table.size(), 1u);  // the empty string
  EXPECT_EQ(table.intern("aten::mm"), 1u);
  EXPECT_EQ(table.intern("aten::add"), 2u);
  EXPECT_EQ(table.intern("aten::mm"), 1u);
  EXPECT_EQ(table.view(2), "aten::add");
  EXPECT_EQ(table.size(), 3u);
}

TEST(StringTable, ZeroIsTheEmptyString) {
  StringTable table;
  EXPECT_EQ(table.intern(""), 0u);
  EXPECT_EQ(table.view(0), "");
  EXPECT_EQ(table.find(""), 0u);
}

TEST(StringTable, UnknownIdsAndStringsAreEmpty) {
  StringTable table;
  table.intern("a");
  EXPECT_EQ(table.view(2), "");
  EXPECT_EQ(table.view(UINT32_MAX), "");
  EXPECT_EQ(table.find("b"), 0u);
  EXPECT_EQ(table.find("a"), 1u);
}

TEST(StringTable, GrowsPastItsFirstSlots) {
  StringTable table;
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(table.intern("kernel_" + std::to_string(i)), static_cast<StringId>(i + 1));
  for (int i = 0; i < 5000; ++i) {
    const std::string text = "kernel_" + std::to_string(i);
    ASSERT_EQ(table.find(text), static_cast<StringId>(i + 1));
    ASSERT_EQ(table.view(static_cast<StringId>(i + 1)), text);
  }
}

TEST(StringTable, KeepsBytesAsTheyAre) {
  StringTable table;
  const std::string odd("a\0b\xff", 4);
  EXPECT_EQ(table.view(table.intern(odd)), odd);
  EXPECT_NE(table.intern("a"), table.find(odd));
}

}  // namespace
}  // namespace td::trace
