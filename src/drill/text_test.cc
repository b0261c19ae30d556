#include "drill/text.h"

#include <gtest/gtest.h>

namespace td::drill {
namespace {

TEST(Text, DecimalsRoundHalfAwayFromZero) {
  EXPECT_EQ(decimal_text(22849, 1000, 1), "22.8");
  EXPECT_EQ(decimal_text(22850, 1000, 1), "22.9");
  EXPECT_EQ(decimal_text(-22850, 1000, 1), "-22.9");
  EXPECT_EQ(decimal_text(1005, 1000, 2), "1.01");
  EXPECT_EQ(decimal_text(0, 1000, 1), "0.0");
  EXPECT_EQ(decimal_text(999, 1000, 0), "1");
}

TEST(Text, UnitsFollowTheSize) {
  EXPECT_EQ(bytes_text(104857600), "104.9 MB");
  EXPECT_EQ(bytes_text(2400000000), "2.40 GB");
  EXPECT_EQ(rate_text(366000000000), "366 GB/s");
  EXPECT_EQ(rate_text(11800000000), "11.8 GB/s");
  EXPECT_EQ(dur_text(130000), "0.13 ms");
  EXPECT_EQ(dur_text(22849000), "22.8 ms");
  EXPECT_EQ(dur_text(353400000), "353 ms");
  EXPECT_EQ(dur_text(5400), "5 us");
  EXPECT_EQ(percent_text(226000), "22.6 %");
  EXPECT_EQ(grouped_text(1234567), "1,234,567");
  EXPECT_EQ(grouped_text(999), "999");
  EXPECT_EQ(count_word(3), "three");
  EXPECT_EQ(count_word(40), "40");
}

TEST(Text, SumsOfRoundedTimesClose) {
  const MsScale scale(101530000);
  const TimeNs step = scale.round(101549000);
  const TimeNs fixed = scale.round(78551000);
  EXPECT_EQ(scale.text(step), "101.5 ms");
  EXPECT_EQ(scale.text(fixed), "78.6 ms");
  EXPECT_EQ(scale.text(step - fixed), "22.9 ms");
  EXPECT_EQ(MsScale(9000000).text(1234567), "1.23 ms");
}

TEST(Text, Shares) {
  EXPECT_EQ(share_millionths(1, 3), 333333);
  EXPECT_EQ(share_millionths(-1, 3), -333333);
  EXPECT_EQ(share_millionths(1, 0), 0);
}

}  // namespace
}  // namespace td::drill
