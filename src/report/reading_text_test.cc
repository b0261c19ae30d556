#include "report/reading_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"
#include "report/reading_json.h"
#include "report/reading_page.h"

namespace td::report {
namespace {

using analysis::testing::job;
using analysis::testing::TinyRank;
using analysis::testing::us;
using trace::SliceKind;

analysis::Reading sample() {
  TinyRank rank(0, 1);
  rank.header().file = "dir/rank0.json.gz";
  rank.header().file_origin_ns = 5'000'000'000;
  for (int64_t k = 0; k < 4; ++k) {
    const int64_t at = k * 1000;
    rank.step(k, at, at + 1000);
    rank.host(SliceKind::loader, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at, at + 300);
    rank.kernel("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int)", at + 300,
                at + 306, at + 1000);
  }
  return analysis::read(job(rank.build()));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(ReadingText, HasTheFixedOrder) {
  const std::string text = reading_text(sample());
  size_t at = 0;
  for (const char* title :
       {"0  Trust", "1  Step boundary", "2  Gap ledger", "3  Overlap", "4  Longest kernel", "5  Findings"}) {
    const size_t found = text.find(title, at);
    ASSERT_NE(found, std::string::npos) << title;
    at = found;
  }
}

TEST(ReadingText, FitsItsColumns) {
  for (const int columns : {60, 80, 100}) {
    const size_t limit = columns == 100 ? 100 : 120;  // tables keep their columns on a narrow terminal
    for (const std::string& line : lines_of(reading_text(sample(), {false, columns})))
      EXPECT_LE(width_of(line), limit) << line;
  }
}

TEST(ReadingText, ColoursOnlyOnRequest) {
  EXPECT_EQ(reading_text(sample()).find('\x1b'), std::string::npos);
  const std::string coloured = reading_text(sample(), {.colour = true});
  EXPECT_NE(coloured.find('\x1b'), std::string::npos);
  // The same text, but for the escapes.
  std::string bare;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      while (coloured[i] != 'm') ++i;
    } else {
      bare += coloured[i];
    }
  }
  EXPECT_EQ(bare, reading_text(sample()));
}

TEST(ReadingText, PlacesAreTheFilesOwnTimestamps) {
  // The file counts from 5 s, so the loader's gap at 2.000 ms of the trace stands at 5002000.000 us of the file.
  EXPECT_NE(reading_text(sample()).find("at 5002000.000 us"), std::string::npos);
}

TEST(ReadingText, BarIsAsWideAsTheBody) {
  for (const std::string& line : lines_of(reading_text(sample()))) {
    // Rows of the picture have blocks too.
    if (line.find("████") == std::string::npos || line.find("stream") != std::string::npos) continue;
    EXPECT_EQ(width_of(line), 100u);
    return;
  }
  FAIL() << "no bar";
}

TEST(ReadingText, ThePictureHasARowForEachStreamOfTheMedianStep) {
  size_t rows = 0;
  for (const std::string& line : lines_of(reading_text(sample()))) {
    if (line.find("stream ") != 18) continue;
    ++rows;
    EXPECT_LE(width_of(line), 100u);
    EXPECT_NE(line.find("█"), std::string::npos) << line;
  }
  EXPECT_GE(rows, 1u);
}

TEST(ReadingText, UnreadableTracesGetNoNumbers) {
  TinyRank rank;
  rank.step(0, 0, 100);
  const std::string text = reading_text(analysis::read(job(rank.build())));
  EXPECT_NE(text.find("unreadable"), std::string::npos);
  EXPECT_EQ(text.find("Gap ledger"), std::string::npos);
}

TEST(ReadingJson, HasEveryFieldOfTheContract) {
  const Json json = reading_json(sample());
  EXPECT_EQ(json["schema_version"].as_int(), 1);
  const Json& ledger = json["ledgers"].items()[0];
  for (const char* key : {"rank", "steps", "step_ns", "compute_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns"})
    EXPECT_EQ(ledger[key].kind(), Json::Kind::integer) << key;
  EXPECT_TRUE(ledger["comm_wait_ns"].is_null());
  const Json& longest = ledger["gaps"].items()[0]["longest"];
  for (const char* key : {"rank", "start_ns", "dur_ns", "correlation", "file_ts_ns"})
    EXPECT_EQ(longest[key].kind(), Json::Kind::integer) << key;
  EXPECT_EQ(longest["track"].as_string(), "stream 7");
  EXPECT_EQ(ledger["gaps"].items()[0]["rhythm"].as_string(), "each_step");
  const Json& finding = json["findings"].items()[0];
  EXPECT_EQ(finding["cause"].as_string(), "input_starvation");
  EXPECT_EQ(finding["confidence"].kind(), Json::Kind::fraction);
  EXPECT_EQ(finding["what_if"]["per"].as_string(), "step");
  for (const char* key : {"span_ns", "busy_ns", "compute_ns", "comm_ns", "comm_hidden_ns", "copy_ns", "idle_ns"})
    EXPECT_EQ(json["whole"][key].kind(), Json::Kind::integer) << key;
  EXPECT_TRUE(json["overlap"]["overlap_frac"].is_null()) << "no communication: no overlap to speak of";
  EXPECT_EQ(json["collectives"]["last_arrival"]["kind"].as_string(), "unknown");
  EXPECT_EQ(json["kernels"].items()[0]["share_of_compute_frac"].as_millionths(), 1'000'000);
  EXPECT_TRUE(parse_json(json.dump()));
}

TEST(ReadingJson, WhatCannotBeHadIsNull) {
  TinyRank rank;
  rank.step(0, 0, 100);
  const Json json = reading_json(analysis::read(job(rank.build())));
  EXPECT_TRUE(json["whole"]["idle_ns"].is_null());
  EXPECT_TRUE(json["steps"]["median_ns"].is_null());
  EXPECT_TRUE(json["ledgers"].items()[0]["step_ns"].is_null());
  EXPECT_EQ(json["trust"]["verdict"].as_string(), "unreadable");
}

TEST(TextPage, CountsColumnsNotBytes) {
  EXPECT_EQ(width_of("█▓"), 2u);
  EXPECT_EQ(width_of("\x1b[1mab\x1b[0m"), 2u);
  EXPECT_EQ(TextPage::left("abcdef", 4), "a...");
  EXPECT_EQ(TextPage::left("ab", 4), "ab  ");
  EXPECT_EQ(TextPage::right("ab", 4), "  ab");
}

TEST(TextPage, WrapsAtTheIndent) {
  TextPage page(false, 20);
  page.wrap(5, "lead", "one two three four");
  EXPECT_EQ(page.take(), "lead one two three\n     four\n");
}

}  // namespace
}  // namespace td::report
