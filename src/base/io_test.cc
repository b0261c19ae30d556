#include "base/io.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace td {
namespace {

std::string read_all(Source& source, size_t window) {
  std::string out;
  std::vector<char> buffer(window);
  while (true) {
    const Result<size_t> count = source.read(buffer);
    if (!count || *count == 0) return out;
    out.append(buffer.data(), *count);
  }
}

TEST(MemorySource, GivesAllBytesInOrder) {
  MemorySource source("abcdefgh", "memory");
  EXPECT_EQ(source.name(), "memory");
  EXPECT_EQ(source.size_bytes(), 8);
  EXPECT_EQ(read_all(source, 3), "abcdefgh");
}

TEST(MemorySource, GivesAtMostItsChunk) {
  MemorySource source("abcdefgh", "memory", 2);
  std::array<char, 8> buffer{};
  EXPECT_EQ(source.read(buffer).value(), 2u);
  EXPECT_EQ(read_all(source, 8), "cdefgh");
}

TEST(MemorySource, TheEndStaysTheEnd) {
  MemorySource source("", "empty");
  std::array<char, 4> buffer{};
  EXPECT_EQ(source.read(buffer).value(), 0u);
  EXPECT_EQ(source.read(buffer).value(), 0u);
}

TEST(StringSink, AppendsWhatIsWritten) {
  std::string out = "x";
  StringSink sink(out);
  EXPECT_TRUE(sink.write("ab").has_value());
  EXPECT_TRUE(sink.write("").has_value());
  EXPECT_TRUE(sink.write("c").has_value());
  EXPECT_TRUE(sink.finish().has_value());
  EXPECT_EQ(out, "xabc");
}

TEST(SerialExecutor, RunsEachIndexOnceInOrder) {
  SerialExecutor executor;
  std::vector<size_t> seen;
  executor.parallel_for(4, [&](size_t i) { seen.push_back(i); });
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2, 3}));
}

TEST(NoProgress, NeverCancels) {
  NoProgress progress;
  progress.report("reading", 1, 2);
  EXPECT_FALSE(progress.cancelled());
}

}  // namespace
}  // namespace td
