// Holds a fixture of the chrome_json reader to the whole contract.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/io.h"
#include "formats/format.h"
#include "native/open_source.h"
#include "trace/check_trace.h"
#include "trace/dump.h"
#include "trace/trace.h"

namespace td::tests {

using Ranks = std::vector<trace::RankTrace>;

inline const formats::Format& chrome_json_format() {
  for (const formats::Format& format : formats::registered_formats())
    if (format.id == "chrome_json") return format;
  ADD_FAILURE() << "no format chrome_json";
  std::abort();
}

// Another source under another name, in chunks of at most so many bytes.
class ChoppedSource final : public Source {
 public:
  ChoppedSource(std::unique_ptr<Source> whole, std::string name, size_t chunk)
      : whole_(std::move(whole)), name_(std::move(name)), chunk_(chunk) {}
  Result<size_t> read(std::span<char> into) override { return whole_->read(into.first(std::min(into.size(), chunk_))); }
  [[nodiscard]] std::string_view name() const override { return name_; }

 private:
  std::unique_ptr<Source> whole_;
  std::string name_;
  size_t chunk_;
};

inline Result<Ranks> read_file(const std::string& path, const std::string& name, size_t chunk) {
  ChoppedSource source(TRY(native::open_source(path)), name, chunk);
  NoProgress progress;
  return formats::read_any(source, progress);
}

inline Result<Ranks> read_text(const std::string& text, const std::string& name) {
  MemorySource source(text, name);
  NoProgress progress;
  return formats::read_any(source, progress);
}

inline std::string write_text(const Ranks& ranks) {
  std::vector<const trace::RankTrace*> pointers;
  for (const trace::RankTrace& rank : ranks) pointers.push_back(&rank);
  std::string out;
  StringSink sink(out);
  const Status status = chrome_json_format().write(pointers, sink);
  EXPECT_TRUE(status.has_value()) << status.error().text();
  return out;
}

// Without the folder of this checkout, which the errors of a file name.
inline std::string anywhere(std::string text) {
  const std::string root = std::string(TD_SOURCE_DIR) + "/";
  for (size_t at = text.find(root); at != std::string::npos; at = text.find(root)) text.erase(at, root.size());
  return text;
}

// What reading gave, as text: the ranks' dumps or the error.
inline std::string text_of(const Result<Ranks>& ranks) {
  if (!ranks) return "error " + std::string(to_string(ranks.error().code)) + ": " + ranks.error().message + "\n";
  std::string out;
  for (const trace::RankTrace& rank : *ranks) out += dump(rank);
  return anywhere(std::move(out));
}

// What a file can carry over: everything but the problems of the file that it came from, and absolute time in place of
// where a particular file puts its zero.
inline std::string portable_text_of(Ranks ranks) {
  std::string out;
  for (trace::RankTrace& rank : ranks) {
    rank.problems.clear();
    rank.base_time_ns += rank.file_origin_ns;
    rank.file_origin_ns = 0;
    out += dump(rank);
  }
  return out;
}

// Reads in tiny chunks and without a file name to the same result; is a sound trace; write -> read gives the same
// ranks, write -> read -> write the same bytes.
inline void hold_to_contract(const std::string& path) {
  const Result<Ranks> first = read_file(path, "x.json", SIZE_MAX);
  const std::string expected = text_of(first);
  EXPECT_EQ(text_of(read_file(path, "", SIZE_MAX)), expected) << "without a file name";
  EXPECT_EQ(text_of(read_file(path, "x.json", 1)), expected) << "in chunks of 1 byte";
  EXPECT_EQ(text_of(read_file(path, "x.json", 7)), expected) << "in chunks of 7 bytes";
  if (!first) return;

  const std::string written = write_text(*first);
  Result<Ranks> second = read_text(written, "");
  ASSERT_TRUE(second.has_value()) << second.error().text();
  EXPECT_EQ(portable_text_of(*second), portable_text_of(*first)) << "write and read";
  for (const trace::RankTrace& rank : *second)
    EXPECT_TRUE(rank.problems.empty() || rank.problems[0].id.starts_with("stream_over"));
  EXPECT_EQ(write_text(*second), written) << "write, read and write";

  const trace::Trace trace = trace::assemble(Ranks(*first));
  for (const trace::Violation& violation : check_trace(trace, trace::Strictness::recorded))
    ADD_FAILURE() << violation.rule << ": " << violation.text;
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// All files of a folder whose names end in `ending`, sorted.
inline std::vector<std::string> fixtures(const std::string& folder, std::initializer_list<std::string_view> endings) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); }))
      out.push_back(path);
  }
  std::ranges::sort(out);
  return out;
}

// A test's name from a file's.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).filename().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

}  // namespace td::tests
