#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "native/file.h"
#include "native/gzip_source.h"
#include "native/open_source.h"
#include "native/terminal_progress.h"
#include "native/thread_executor.h"

namespace td::native {
namespace {

std::string pack(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Incompressible enough that the packed form is long too.
std::string long_text() {
  std::string out;
  uint64_t state = 1;
  while (out.size() < 500'000) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    out += std::to_string(state >> 40) + " ";
  }
  return out;
}

struct Drained {
  std::string bytes;
  std::string error;
};
Drained drain(Source& source, size_t chunk) {
  Drained out;
  std::vector<char> buffer(chunk);
  while (true) {
    const Result<size_t> count = source.read(buffer);
    if (!count) {
      out.error = count.error().text();
      return out;
    }
    if (*count == 0) return out;
    out.bytes.append(buffer.data(), *count);
  }
}

Drained unpack(const std::string& packed, size_t chunk = 4096, size_t source_chunk = SIZE_MAX) {
  GzipSource source(std::make_unique<MemorySource>(packed, "x.gz", source_chunk));
  return drain(source, chunk);
}

class NativeFiles : public testing::Test {
 protected:
  NativeFiles() : folder_(std::filesystem::temp_directory_path() / ("td_native_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~NativeFiles() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  [[nodiscard]] std::string contents(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] size_t file_count() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

TEST(GzipSource, UnpacksInAnyChunkSize) {
  const std::string text = long_text();
  for (size_t chunk : {size_t{1}, size_t{7}, size_t{65536}, size_t{1} << 20}) {
    const Drained out = unpack(pack(text), chunk, chunk);
    EXPECT_EQ(out.bytes, text) << chunk;
    EXPECT_EQ(out.error, "") << chunk;
  }
}

TEST(GzipSource, TakesConcatenatedMembersAndPadding) {
  const Drained out = unpack(pack("one ") + pack("") + pack("two") + std::string(64, '\0'));
  EXPECT_EQ(out.bytes, "one two");
  EXPECT_EQ(out.error, "");
}

TEST(GzipSource, GivesThePrefixOfATruncatedFileThenTheError) {
  const std::string text = long_text();
  const std::string packed = pack(text);
  const Drained out = unpack(packed.substr(0, packed.size() / 2));
  EXPECT_GT(out.bytes.size(), text.size() / 3);
  EXPECT_TRUE(text.starts_with(out.bytes));
  EXPECT_NE(out.error.find("byte " + std::to_string(packed.size() / 2)), std::string::npos) << out.error;
}

TEST(GzipSource, GivesThePrefixOfADamagedFileThenTheError) {
  const std::string text = long_text();
  std::string packed = pack(text);
  for (size_t i = packed.size() / 2; i < packed.size() / 2 + 200; ++i) packed[i] = static_cast<char>(0xFF);
  const Drained out = unpack(packed);
  EXPECT_GT(out.bytes.size(), text.size() / 3);
  EXPECT_NE(out.error.find("gzip"), std::string::npos) << out.error;
}

TEST(GzipSource, AnErrorIsToldOnce) {
  GzipSource source(std::make_unique<MemorySource>("\x1f\x8b\x08", "x.gz"));
  char byte = 0;
  EXPECT_FALSE(source.read(std::span<char>(&byte, 1)).has_value());
  EXPECT_EQ(source.read(std::span<char>(&byte, 1)).value_or(99), 0U);
}

TEST_F(NativeFiles, GzipIsToldByContentNotByName) {
  write("packed.json", pack("[1]"));
  write("plain.json.gz", "[2]");
  write("empty.json", "");
  EXPECT_EQ(drain(**open_source(path("packed.json")), 10).bytes, "[1]");
  EXPECT_EQ(drain(**open_source(path("plain.json.gz")), 10).bytes, "[2]");
  EXPECT_EQ(drain(**open_source(path("empty.json")), 10).bytes, "");
}

TEST_F(NativeFiles, MissingFilesAndFoldersAreErrors) {
  EXPECT_EQ(open_source(path("absent.json")).error().code, ErrorCode::not_found);
  EXPECT_EQ(open_source(path("")).error().code, ErrorCode::io);
}

TEST_F(NativeFiles, ASinkAppearsOnlyWhenItIsFinished) {
  {
    auto sink = FileSink::create(path("out.json"));
    ASSERT_TRUE(sink.has_value());
    ASSERT_TRUE((*sink)->write("half").has_value());
    EXPECT_FALSE(std::filesystem::exists(path("out.json")));
  }
  EXPECT_EQ(file_count(), 0U);
  auto sink = FileSink::create(path("out.json"));
  ASSERT_TRUE((*sink)->write("whole").has_value());
  ASSERT_TRUE((*sink)->finish().has_value());
  EXPECT_TRUE((*sink)->finish().has_value());
  EXPECT_EQ(contents("out.json"), "whole");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(NativeFiles, ASinkInAMissingFolderIsAnError) {
  EXPECT_EQ(FileSink::create(path("no/such/out.json")).error().code, ErrorCode::not_found);
}

TEST(ThreadExecutor, RunsEveryIndexOnce) {
  for (size_t threads : {size_t{0}, size_t{1}, size_t{5}}) {
    std::vector<std::atomic<int>> runs(1000);
    ThreadExecutor(threads).parallel_for(runs.size(), [&](size_t i) { ++runs[i]; });
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count.load(), 1);
  }
  ThreadExecutor().parallel_for(0, [](size_t) { FAIL(); });
}

TEST(TerminalProgress, LineShowsTheEndOfALongPath) {
  EXPECT_EQ(progress_line("reading a.json", 50, 200, 40), "reading a.json  25 %");
  EXPECT_EQ(progress_line("reading a.json", 12'345'678, -1, 40), "reading a.json  12.3 MB");
  EXPECT_LE(progress_line("reading a/very/long/path/rank0.json", 1, 1, 22).size(), 22U);
  EXPECT_TRUE(progress_line("reading a/very/long/path/rank0.json", 1, 1, 22).starts_with("..."));
}

}  // namespace
}  // namespace td::native
