// The reader and writer as a whole, on traces built by hand; files by behaviour are in tests/golden/chrome_json.
#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "formats/chrome_json/header.h"
#include "formats/chrome_json/writer.h"
#include "formats/format.h"
#include "trace/check_trace.h"
#include "trace/dump.h"

namespace td::formats {
namespace {

using trace::RankTrace;
using trace::SliceKind;
using trace::TrackKind;

Result<std::vector<RankTrace>> read(std::string_view text, std::string name = "") {
  MemorySource source(text, std::move(name));
  NoProgress progress;
  return read_any(source, progress);
}

std::string write(const std::vector<RankTrace>& ranks) {
  std::vector<const RankTrace*> pointers;
  for (const RankTrace& rank : ranks) pointers.push_back(&rank);
  std::string out;
  StringSink sink(out);
  EXPECT_TRUE(chrome::write(pointers, sink).has_value());
  return out;
}

trace::Track track(trace::RankTraceBuilder& b, TrackKind kind, int64_t pid, int64_t tid, std::string_view name) {
  trace::Track t;
  t.kind = kind;
  t.pid = pid;
  t.tid = tid;
  t.name = b.intern(name);
  t.process_name = b.intern(kind == TrackKind::stream ? "GPU 0" : "python");
  t.sort_index = static_cast<int32_t>(tid);
  if (kind == TrackKind::stream || kind == TrackKind::gpu_annotation || kind == TrackKind::sync) t.device = 0;
  return t;
}

// A rank with every kind of slice and side table that the model has.
RankTrace rank_with_everything(int32_t rank) {
  trace::RankTraceBuilder b;
  RankTrace& h = b.header();
  h.rank = rank;
  h.world_size = 8;
  h.host_name = "node1";
  h.device_name = "NVIDIA H100 80GB HBM3";
  h.device_memory_bytes = 85'018'279'936;
  h.sm_count = 132;
  h.backend = "nccl";
  h.groups = {{"0", "default_pg", {0, 1, 2, 3}}, {"1", "tp", {}}};
  h.base_time_ns = 1'767'189'312'000'000'000;
  h.file_origin_ns = 5'000'000'000 + rank;
  const auto host = b.add_track(track(b, TrackKind::host_thread, 4211, 4211, "thread 4211 (pt_main_thread)"));
  const auto backward = b.add_track(track(b, TrackKind::host_thread, 4211, 4300, ""));
  const auto stream = b.add_track(track(b, TrackKind::stream, 0, 7, "stream 7"));
  const auto comm = b.add_track(track(b, TrackKind::stream, 0, 20, "stream 20"));
  b.add_track(track(b, TrackKind::stream, 0, 24, "stream 24"));  // did nothing
  const auto notes = b.add_track(track(b, TrackKind::gpu_annotation, 0, 7, "stream 7"));
  const auto syncs = b.add_track(track(b, TrackKind::sync, 0, 7, "stream 7 (sync)"));
  const auto counter = b.add_track(track(b, TrackKind::counter, 4211, 0, "queue depth"));
  const auto worker = b.add_track(track(b, TrackKind::loader_worker, 4400, 4400, "worker 0"));
  const auto own = b.add_track(track(b, TrackKind::other, -1, 0, "Overhead"));

  b.add_slice(host, SliceKind::annotation, b.intern("ProfilerStep#12"), 0, 900'001);
  const auto wait = b.intern("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
  b.add_slice(host, SliceKind::loader, wait, 10, 500);
  b.add_slice(worker, SliceKind::loader, b.intern("fetch"), 20, 480);
  const auto mm = b.add_slice(host, SliceKind::host_op, b.intern("aten::mm"), 1'000, 700);
  const auto inner = b.add_slice(host, SliceKind::host_op, b.intern("aten::inner \"q\" \x01 \xC3\xA9"), 1'000, 600);
  b.add(trace::OpArgs{mm, 77, 5, b.intern("[[8192,4096],[4096,14336]]"),
                      b.intern("[\"c10::BFloat16\",\"c10::BFloat16\"]")});
  b.add(trace::OpArgs{inner, 78, -1, b.intern("no-list"), 0});
  b.add_slice(host, SliceKind::runtime, b.intern("cudaLaunchKernel"), 1'100, 50, 9012);
  b.add_slice(host, SliceKind::runtime, b.intern("cuLaunchKernelEx"), 1'200, 50, 9013);
  b.add_slice(host, SliceKind::runtime, b.intern("cudaMemcpyAsync"), 1'300, 50, 9014);
  b.add_slice(host, SliceKind::python, b.intern("train.py(7): step"), 2'000, 10);
  b.add_slice(host, SliceKind::instant, b.intern("[memory]"), 2'500, 0);
  const auto grad = b.add_slice(backward, SliceKind::host_op, b.intern("MmBackward0"), 3'000, 100);
  b.add(trace::Flow{mm, grad});
  b.add(trace::Flow{inner, grad});
  const auto gemm = b.add_slice(stream, SliceKind::compute, b.intern("nvjet_tst_192x192"), 2'000, 1'398'114, 9012);
  b.add(trace::KernelArgs{gemm, {2, 66, 1}, {384, 1, 1}, 168, 213'656});
  b.add(trace::OpArgs{gemm, 77, -1, 0, 0});
  b.add_slice(stream, SliceKind::compute, b.intern("overlapping"), 1'000'000, 500'000, 9012);  // as with PDL
  const auto reduce =
      b.add_slice(comm, SliceKind::comm, b.intern("ncclDevKernel_AllReduce_Sum_bf16_RING_LL"), 5'000, 100, 9013);
  trace::CollectiveArgs args;
  args.slice = reduce;
  args.kind = trace::CollectiveKind::all_reduce;
  args.dtype = trace::DType::bfloat16;
  args.group_size = 8;
  args.in_count = args.out_count = 13'107'200;
  args.sequence = 3;
  args.group = b.intern("0");
  args.group_ranks = b.intern("[0, 1, 2, 3]");
  b.add(args);
  const auto copy = b.add_slice(comm, SliceKind::copy, b.intern("Memcpy HtoD (Pageable -> Device)"), 6'000, 10, 9014);
  b.add(trace::CopyArgs{copy, trace::CopyKind::h2d, 4096});
  const auto set = b.add_slice(comm, SliceKind::memset, b.intern("Memset (Device)"), 7'000, 10);
  b.add(trace::CopyArgs{set, trace::CopyKind::unknown, 64});
  b.add_slice(notes, SliceKind::gpu_annotation, b.intern("ProfilerStep#12"), 1'999, 1'398'116);
  b.add_slice(syncs, SliceKind::sync, b.intern("Stream Sync"), 2'100, 900);
  b.add_slice(own, SliceKind::overhead, b.intern("Buffer Flush"), 100, 5);
  b.add(trace::CounterSample{counter, 400, 2'500'000});
  b.add(trace::CounterSample{counter, 500, -1});
  return b.finish();
}

void expect_same(const std::vector<RankTrace>& a, const std::vector<RankTrace>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    RankTrace without = b[i];
    without.problems.clear();  // the overlap on stream 7 is noted again
    EXPECT_EQ(dump(without), dump(a[i]));
  }
}

std::string kernel_at(std::string_view ts, std::string_view dur) {
  return R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + std::string(ts) + R"(,"dur":)" +
         std::string(dur) + R"(,"args":{"device":0,"stream":7,"grid":[1,2,3]}})";
}

TEST(ChromeJson, TimesOverAYearApartAreNoTrace) {
  // Three kernels of 2026, one with a clock that was never set, one that seems to last for 31 years.
  const std::string text =
      "[" + kernel_at("0", "5") + "," + kernel_at("1767189312000000", "10") + "," +
      kernel_at("1767189312000020", "11") + "," + kernel_at("1767189312000030", "990000000000000") + "," +
      kernel_at("1767189312000040", "12") + R"(,{"ph":"C","name":"c","pid":1,"ts":3,"args":{"v":1}}])";
  const auto ranks = read(text);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  const RankTrace& t = ranks->front();
  EXPECT_EQ(t.dur_ns, (std::vector<TimeNs>{10'000, 11'000, 12'000}));
  EXPECT_EQ(t.start_ns, (std::vector<TimeNs>{0, 20'000, 40'000}));
  EXPECT_EQ(t.kernels.size(), 3u);
  EXPECT_TRUE(t.counters.empty());
  ASSERT_EQ(t.problems.size(), 1u);
  EXPECT_EQ(t.problems[0].id, "implausible_time");
  EXPECT_EQ(t.problems[0].count, 3);
  EXPECT_TRUE(check_trace(trace::assemble(std::vector<RankTrace>(*ranks)), trace::Strictness::recorded).empty());
}

TEST(ChromeJson, AYearIsKeptAndALongerSliceAloneIsAnError) {
  EXPECT_TRUE(read("[" + kernel_at("0", "31536000000000") + "]").has_value());
  const auto longer = read("[" + kernel_at("0", "31536000000000.001") + "]");
  ASSERT_FALSE(longer.has_value());
  EXPECT_NE(longer.error().text().find("plausible"), std::string::npos) << longer.error().text();
}

std::string kernel_of_rank(int rank) {
  const std::string number = std::to_string(rank);
  return R"({"ph":"X","cat":"kernel","name":"k)" + number + R"(","pid":0,"tid":7,"ts":)" + number +
         R"(,"dur":5,"args":{"device":0,"stream":7,"rank":)" + number + "}}";
}

// Work that grows with ranks times strings or ranks times tracks would take minutes here.
TEST(ChromeJson, ManyRanksAreSplitAndTooManyAreRefused) {
  constexpr int kMost = 65'536;
  std::string text = "[" + kernel_of_rank(0);
  for (int rank = 1; rank < kMost; ++rank) text += "," + kernel_of_rank(rank);
  const auto ranks = read(text + "]");
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  ASSERT_EQ(ranks->size(), static_cast<size_t>(kMost));
  EXPECT_EQ((*ranks)[40'000].rank, 40'000);
  EXPECT_EQ((*ranks)[40'000].name_of(0), "k40000");

  const auto more = read(text + "," + kernel_of_rank(kMost) + "]", "merged.json");
  ASSERT_FALSE(more.has_value());
  EXPECT_NE(more.error().text().find("merged.json: the file names 65537 ranks"), std::string::npos)
      << more.error().text();
}

TEST(ChromeJsonWriter, OneRankComesBackWhole) {
  const std::vector<RankTrace> ranks = {rank_with_everything(3)};
  const std::string written = write(ranks);
  const auto again = read(written);
  ASSERT_TRUE(again.has_value()) << again.error().text();
  expect_same(ranks, *again);
  EXPECT_EQ(write(*again), written);
  EXPECT_TRUE(check_trace(trace::assemble(std::vector<RankTrace>(*again)), trace::Strictness::recorded).empty());
}

TEST(ChromeJsonWriter, SeveralRanksComeBackApart) {
  const std::vector<RankTrace> ranks = {rank_with_everything(0), rank_with_everything(5), rank_with_everything(-1)};
  const std::string written = write(ranks);
  const auto again = read(written, "rank7.json");
  ASSERT_TRUE(again.has_value()) << again.error().text();
  expect_same(ranks, *again);
  EXPECT_EQ(write(*again), written);
}

TEST(ChromeJsonWriter, SaysTheRankAsHolisticTraceAnalysisFindsIt) {
  const std::string written = write({rank_with_everything(3)});
  EXPECT_NE(written.find("\"rank\": 3"), std::string::npos);
  EXPECT_TRUE(written.starts_with("{\"traceEvents\":["));
  EXPECT_EQ(written.find("displayTimeUnit"), std::string::npos);
}

// The text is JSON that a strict parser takes, and holds Perfetto's rules: pids and tids above 0, disjoint between
// ranks, slices of one row nested, no ts below 0, flow ids unique, f behind its s.
TEST(ChromeJsonWriter, KeepsTheRulesOfPerfetto) {
  const auto parsed = parse_json(write({rank_with_everything(0), rank_with_everything(1)}));
  ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
  struct Span {
    int64_t pid, tid, start, end;
  };
  std::vector<Span> spans;
  std::vector<std::pair<std::string, int64_t>> starts;  // flow key, time
  for (const Json& event : (*parsed)["traceEvents"].items()) {
    const std::string_view phase = event["ph"].as_string();
    EXPECT_GT(event["pid"].as_int(), 0);
    if (phase == "M") continue;
    EXPECT_GT(event["tid"].as_int(), 0);
    const int64_t ts = event["ts"].as_millionths();
    EXPECT_GE(ts, 0);
    const std::string key = std::string(event["cat"].as_string()) + std::to_string(event["id"].as_int());
    if (phase == "X")
      spans.push_back({event["pid"].as_int(), event["tid"].as_int(), ts, ts + event["dur"].as_millionths()});
    if (phase == "s") {
      for (const auto& [known, time] : starts) EXPECT_NE(known, key);
      starts.emplace_back(key, ts);
    }
    if (phase != "f") continue;
    EXPECT_EQ(event["bp"].as_string(), "e");
    bool found = false;
    for (const auto& [known, time] : starts) found = found || (known == key && time < ts);
    EXPECT_TRUE(found) << key;
  }
  EXPECT_EQ(starts.size(), 2U * (3 + 2));
  for (const Span& a : spans) {
    for (const Span& b : spans) {
      if (a.pid != b.pid || a.tid != b.tid) continue;
      const bool partial = a.start < b.start && b.start < a.end && a.end < b.end;
      EXPECT_FALSE(partial) << a.pid << "/" << a.tid << " " << a.start << ".." << a.end << " and " << b.start << ".."
                            << b.end;
    }
  }
}

TEST(ChromeJsonWriter, AnEpochClockMovesIntoTheBaseTime) {
  RankTrace rank = rank_with_everything(0);
  rank.base_time_ns = 0;
  rank.file_origin_ns = 1'712'197'118'381'000'001;
  const auto again = read(write({rank}));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ((*again)[0].base_time_ns, 1'712'197'118'380'999'001);
  EXPECT_EQ((*again)[0].file_origin_ns, 1'000);
}

// GPU work with ts 0 and dur 0 is what the profiler writes when it has lost the times; ours must not read as such.
TEST(ChromeJsonWriter, WorkOfNoLengthAtTheVeryStartIsKept) {
  trace::RankTraceBuilder b;
  const auto stream = b.add_track(track(b, TrackKind::stream, 0, 7, "stream 7"));
  b.add_slice(stream, SliceKind::compute, b.intern("empty"), 0, 0);
  b.add_slice(stream, SliceKind::compute, b.intern("k"), 10, 5);
  const auto again = read(write({b.finish()}));
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_EQ((*again)[0].slice_count(), 2U);
  EXPECT_TRUE((*again)[0].problems.empty());
}

TEST(ChromeJsonWriter, RanksOfDifferentBaseTimesKeepTheirDistance) {
  RankTrace a = rank_with_everything(0);
  RankTrace b = rank_with_everything(1);
  b.base_time_ns += 1'000'000;
  const auto again = read(write({a, b}));
  ASSERT_TRUE(again.has_value());
  const trace::Trace trace = trace::assemble(std::vector<RankTrace>(*again));
  EXPECT_EQ(trace.ranks[1].clock_offset_ns - trace.ranks[0].clock_offset_ns, 1'000'001);
}

TEST(ChromeJsonWriter, NoRankIsAnError) {
  std::string out;
  StringSink sink(out);
  EXPECT_EQ(chrome::write({}, sink).error().code, ErrorCode::invalid_argument);
}

TEST(ChromeJsonReader, TakesTheRankFromTheNameOnlyIfTheFileIsSilent) {
  const std::string event = R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1}])";
  EXPECT_EQ((*read(event + "}", "a/rank-70.Mar_25.json"))[0].rank, 70);
  EXPECT_EQ((*read(event + R"(,"distributedInfo":{"rank":2}})", "a/rank-70.json"))[0].rank, 2);
  EXPECT_EQ((*read(event + "}", ""))[0].rank, -1);
}

TEST(ChromeJsonReader, FileNamesTellRanks) {
  EXPECT_EQ(chrome::rank_of_file_name("rank0.json"), 0);
  EXPECT_EQ(chrome::rank_of_file_name("/x/inference_rank_12.json.gz"), 12);
  EXPECT_EQ(chrome::rank_of_file_name("worker3.1623143089861.pt.trace.json"), 3);
  EXPECT_EQ(chrome::rank_of_file_name("Rank-7"), 7);
  EXPECT_EQ(chrome::rank_of_file_name("rank5/trace.json"), -1);
  EXPECT_EQ(chrome::rank_of_file_name("ranking.json"), -1);
  EXPECT_EQ(chrome::rank_of_file_name("rank_99999999999.json"), -1);
}

// A source that fails after some bytes.
class FailingSource final : public Source {
 public:
  explicit FailingSource(std::string_view good) : good_(good, "broken.json") {}
  Result<size_t> read(std::span<char> into) override {
    const size_t count = TRY(good_.read(into));
    if (count == 0) return fail(ErrorCode::io, "the disk is on fire", "broken.json");
    return count;
  }
  [[nodiscard]] std::string_view name() const override { return good_.name(); }

 private:
  MemorySource good_;
};

TEST(ChromeJsonReader, AReadErrorKeepsWhatCameBefore) {
  FailingSource source(
      R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1},{"ph":"X")");
  NoProgress progress;
  const auto ranks = read_any(source, progress);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  EXPECT_EQ((*ranks)[0].slice_count(), 1U);
  ASSERT_EQ((*ranks)[0].problems.size(), 1U);
  EXPECT_EQ((*ranks)[0].problems[0].id, "truncated");
  EXPECT_NE((*ranks)[0].problems[0].text.find("the disk is on fire"), std::string::npos);
}

TEST(ChromeJsonReader, AReadErrorBeforeTheFirstByteIsTheError) {
  FailingSource source("");
  NoProgress progress;
  EXPECT_EQ(read_any(source, progress).error().code, ErrorCode::io);
}

class Cancelled final : public Progress {
 public:
  void report(std::string_view, int64_t, int64_t) override {}
  [[nodiscard]] bool cancelled() const override { return true; }
};

TEST(ChromeJsonReader, CanBeCancelled) {
  MemorySource source("[{}]", "x.json");
  Cancelled progress;
  EXPECT_EQ(read_any(source, progress).error().code, ErrorCode::cancelled);
}

// Events across window borders: a file of several windows, and one event larger than a window.
TEST(ChromeJsonReader, ReadsAcrossWindows) {
  std::string text = "[";
  const int count = 20'000;
  for (int i = 0; i < count; ++i)
    text += R"({"ph":"X","cat":"kernel","name":"kernel)" + std::to_string(i % 97) + R"(","pid":0,"tid":7,"ts":)" +
            std::to_string(i * 10) + R"(.125,"dur":5.5,"args":{"stream":7,"correlation":)" + std::to_string(i + 1) +
            "}},\n";
  text += R"({"ph":"X","cat":"kernel","name":"large","pid":0,"tid":7,"ts":1e9,"dur":1,"args":{"text":")" +
          std::string(3 << 20, 'x') + "\"}}]";
  const auto ranks = read(text);
  ASSERT_TRUE(ranks.has_value());
  const RankTrace& rank = (*ranks)[0];
  ASSERT_EQ(rank.slice_count(), static_cast<size_t>(count) + 1);
  EXPECT_TRUE(rank.problems.empty());
  for (trace::SliceId i = 0; i < static_cast<trace::SliceId>(count); ++i) {
    ASSERT_EQ(rank.start_ns[i], static_cast<int64_t>(i) * 10'000);
    ASSERT_EQ(rank.correlation[i], i + 1);
  }
  EXPECT_EQ(rank.name_of(count), "large");
}

TEST(ReadAny, NamesWhatItCannotRead) {
  const auto message = [](std::string_view bytes) { return read(bytes, "f").error().text(); };
  EXPECT_NE(message("SQLite format 3").find("SQLite"), std::string::npos);
  EXPECT_NE(message("PK\x03\x04...").find("zip"), std::string::npos);
  EXPECT_NE(message("version https://git-lfs.github.com/spec/v1").find("LFS"), std::string::npos);
  EXPECT_NE(message("  \n").find("white space"), std::string::npos);
  EXPECT_NE(message("{\"model\":1}").find("\"model\""), std::string::npos);
}

}  // namespace
}  // namespace td::formats
