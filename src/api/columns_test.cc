#include "api/columns.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "base/json.h"

namespace td::api {
namespace {

using trace::RankTrace;

// Reads the block back as docs/api.md describes it, knowing nothing of the encoder.
class BlockReader {
 public:
  explicit BlockReader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view text(size_t size) {
    EXPECT_LE(at_ + size, bytes_.size());
    const std::string_view out = bytes_.substr(at_, size);
    at_ += size;
    return out;
  }
  uint32_t u32() {
    uint32_t value = 0;
    const std::string_view raw = text(4);
    for (size_t i = 0; i < 4; ++i) value |= static_cast<uint32_t>(static_cast<uint8_t>(raw[i])) << (8 * i);
    return value;
  }
  int64_t f64() {
    EXPECT_EQ(at_ % 8, 0U);
    uint64_t bits = 0;
    const std::string_view raw = text(8);
    for (size_t i = 0; i < 8; ++i) bits |= static_cast<uint64_t>(static_cast<uint8_t>(raw[i])) << (8 * i);
    return static_cast<int64_t>(std::bit_cast<double>(bits));
  }
  void align() {
    while (at_ % 8 != 0) EXPECT_EQ(text(1), std::string_view("\0", 1));
  }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

RankTrace sample(int32_t rank) {
  trace::RankTraceBuilder builder;
  builder.header().rank = rank;
  builder.header().world_size = 2;
  builder.header().device_name = "NVIDIA H100 80GB HBM3";
  trace::Track host;
  host.kind = trace::TrackKind::host_thread;
  host.pid = host.tid = 4211;
  host.name = builder.intern("thread 4211 (pt_main_thread)");
  const trace::TrackId host_track = builder.add_track(host);
  trace::Track stream;
  stream.kind = trace::TrackKind::stream;
  stream.tid = 7;
  stream.device = rank;
  const trace::TrackId gpu_track = builder.add_track(stream);
  const trace::SliceId launch =
      builder.add_slice(host_track, trace::SliceKind::runtime, builder.intern("cudaLaunchKernel"), 1000, 4000, 17);
  const trace::SliceId op =
      builder.add_slice(host_track, trace::SliceKind::host_op, builder.intern("aten::mm"), 0, 9000);
  const trace::SliceId kernel =
      builder.add_slice(gpu_track, trace::SliceKind::compute, builder.intern("gemm"), 9001, int64_t{1} << 40, 17);
  const trace::SliceId comm = builder.add_slice(gpu_track, trace::SliceKind::comm, builder.intern("ncclDevKernel"),
                                                (int64_t{1} << 40) + 9999, 5);
  builder.add(trace::KernelArgs{.slice = kernel, .grid = {1, 2, 3}, .block = {4, 5, 6}, .registers_per_thread = 7});
  builder.add(trace::CollectiveArgs{.slice = comm,
                                    .kind = trace::CollectiveKind::all_reduce,
                                    .dtype = trace::DType::bfloat16,
                                    .group_size = 2,
                                    .in_count = 100,
                                    .out_count = 100,
                                    .sequence = 3});
  builder.add(trace::OpArgs{.slice = op, .external_id = 12, .shapes = builder.intern("[[2,2]]")});
  static_cast<void>(launch);
  RankTrace trace = builder.finish();
  trace.clock_offset_ns = rank * 123;
  return trace;
}

void expect_rank(BlockReader& in, const RankTrace& rank) {
  const uint32_t header_size = in.u32();
  const auto header = parse_json(in.text(header_size));
  ASSERT_TRUE(header.has_value()) << header.error().text();
  EXPECT_EQ((*header)["rank"].as_int(-1), rank.rank);
  EXPECT_EQ((*header)["device"].as_string(), rank.device_name);
  EXPECT_EQ((*header)["clock_offset_ns"].as_int(-1), rank.clock_offset_ns);
  ASSERT_EQ((*header)["slices"].as_int(), static_cast<int64_t>(rank.slice_count()));
  EXPECT_EQ((*header)["strings"].items().size(), rank.strings.size());
  ASSERT_EQ((*header)["tracks"].items().size(), rank.tracks.size());
  for (size_t i = 0; i < rank.tracks.size(); ++i) {
    const Json& track = (*header)["tracks"].items()[i];
    EXPECT_EQ(track["kind"].as_string(), to_string(rank.tracks[i].kind));
    EXPECT_EQ(track["begin"].as_int(-1), rank.tracks[i].begin);
    EXPECT_EQ(track["end"].as_int(-1), rank.tracks[i].end);
  }
  in.align();
  for (TimeNs value : rank.start_ns) EXPECT_EQ(in.f64(), value);
  for (TimeNs value : rank.dur_ns) EXPECT_EQ(in.f64(), value);
  for (int64_t value : rank.correlation) EXPECT_EQ(in.f64(), value);
  for (trace::TrackId value : rank.track) EXPECT_EQ(in.u32(), value);
  in.align();
  for (size_t i = 0; i < rank.slice_count(); ++i) {
    EXPECT_EQ((*header)["strings"].items()[in.u32()].as_string(), rank.name_of(static_cast<trace::SliceId>(i)));
  }
  in.align();
  for (trace::SliceKind value : rank.kind) {
    const auto kind = static_cast<uint8_t>(in.text(1)[0]);
    EXPECT_EQ((*header)["kinds"].items()[kind].as_string(), to_string(value));
  }
  in.align();
  for (const trace::KernelArgs& row : rank.kernels) {
    const int64_t expected[9] = {row.slice,
                                 row.grid[0],
                                 row.grid[1],
                                 row.grid[2],
                                 row.block[0],
                                 row.block[1],
                                 row.block[2],
                                 row.registers_per_thread,
                                 row.shared_memory_bytes};
    for (int64_t value : expected) EXPECT_EQ(in.f64(), value);
  }
  for (const trace::CollectiveArgs& row : rank.collectives) {
    EXPECT_EQ(in.f64(), row.slice);
    EXPECT_EQ((*header)["collective_kinds"].items()[static_cast<size_t>(in.f64())].as_string(), to_string(row.kind));
    EXPECT_EQ((*header)["dtypes"].items()[static_cast<size_t>(in.f64())].as_string(), to_string(row.dtype));
    EXPECT_EQ(in.f64(), row.group_size);
    EXPECT_EQ(in.f64(), row.in_count);
    EXPECT_EQ(in.f64(), row.out_count);
    EXPECT_EQ(in.f64(), row.sequence);
    EXPECT_EQ(in.f64(), trace::size_bytes(row));
  }
  ASSERT_EQ(rank.copies.size(), 0U);
  for (const trace::OpArgs& row : rank.ops) {
    EXPECT_EQ(in.f64(), row.slice);
    EXPECT_EQ(in.f64(), row.external_id);
    EXPECT_EQ((*header)["strings"].items()[static_cast<size_t>(in.f64())].as_string(), rank.strings.view(row.shapes));
  }
}

TEST(Columns, AreReadBackByTheDocumentedLayout) {
  trace::Trace trace;
  trace.ranks.push_back(sample(0));
  trace.ranks.push_back(sample(1));
  const std::string block = encode_columns(trace);
  BlockReader in(block);
  EXPECT_EQ(in.text(4), "TDB1");
  ASSERT_EQ(in.u32(), 2U);
  expect_rank(in, trace.ranks[0]);
  expect_rank(in, trace.ranks[1]);
  EXPECT_TRUE(in.at_end());
}

TEST(Columns, OfAnEmptyTraceAreAHeader) { EXPECT_EQ(encode_columns({}), std::string("TDB1\0\0\0\0", 8)); }

}  // namespace
}  // namespace td::api
