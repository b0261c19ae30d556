// Perfetto protobuf: what is written is read back, and damage is an error or a reading.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/io.h"
#include "formats/format.h"
#include "formats/pftrace/fields.h"
#include "formats/pftrace/reader.h"
#include "formats/pftrace/wire.h"
#include "formats/pftrace/writer.h"
#include "trace/check_trace.h"
#include "trace/dump.h"

namespace td::formats::perfetto {
namespace {

using trace::RankTrace;
using trace::SliceKind;
using trace::TrackKind;

// Every kind of slice, overlapping kernels, args of each table, a flow, counters, an odd clock.
RankTrace example(int32_t rank) {
  trace::RankTraceBuilder builder;
  RankTrace& header = builder.header();
  header.rank = rank;
  header.world_size = 2;
  header.host_name = "node-1";
  header.device_name = "NVIDIA H100 80GB HBM3";
  header.device_memory_bytes = 85'899'345'920;
  header.sm_count = 132;
  header.backend = "nccl";
  header.groups.push_back({"0", "default_pg", {0, 1}});
  header.base_time_ns = 1'700'000'000'000'000'000 + rank * 77;
  const trace::TrackId main = builder.add_track({.kind = TrackKind::host_thread,
                                                 .pid = 4200,
                                                 .tid = 4201,
                                                 .process_name = builder.intern("python"),
                                                 .name = builder.intern("thread 4201 (pt_main_thread)"),
                                                 .sort_index = 3});
  const trace::TrackId stream = builder.add_track({.kind = TrackKind::stream,
                                                   .pid = 0,
                                                   .tid = 7,
                                                   .process_name = builder.intern("python"),
                                                   .name = builder.intern("stream 7 "),
                                                   .device = 0});
  const trace::TrackId sync = builder.add_track({.kind = TrackKind::sync, .tid = 7, .device = 0});
  const trace::TrackId counter =
      builder.add_track({.kind = TrackKind::counter, .pid = 0, .name = builder.intern("SM active")});
  const auto slice = [&](trace::TrackId track, SliceKind kind, const char* name, TimeNs at_ns, TimeNs dur_ns,
                         int64_t correlation = 0) {
    return builder.add_slice(track, kind, builder.intern(name), at_ns, dur_ns, correlation);
  };
  slice(main, SliceKind::annotation, "ProfilerStep#3", 1001, 9000);
  const trace::SliceId forward = slice(main, SliceKind::host_op, "aten::mm", 1500, 800);
  builder.add(trace::OpArgs{.slice = forward,
                            .external_id = 12,
                            .sequence = 5,
                            .shapes = builder.intern("[[2,3],[3,4]]"),
                            .types = builder.intern("[\"float\",\"float\"]")});
  slice(main, SliceKind::runtime, "cudaLaunchKernel", 1600, 100, 9);
  slice(main, SliceKind::runtime, "cudaLaunchKernel", 1600, 0, int64_t{1} << 45);
  const trace::SliceId backward = slice(main, SliceKind::host_op, "MmBackward0", 4000, 800);
  slice(main, SliceKind::loader, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 6000, 10);
  slice(main, SliceKind::instant, "mark", 6500, 0);
  slice(main, SliceKind::python, "train.py(12): step", 7000, 20);
  builder.add(trace::Flow{forward, backward});
  const trace::SliceId gemm = slice(stream, SliceKind::compute, "sm90_gemm \"x\" µ", 2000, 1001, 9);
  builder.add(trace::KernelArgs{.slice = gemm,
                                .grid = {10, 2, 1},
                                .block = {128, 1, 1},
                                .registers_per_thread = 96,
                                .shared_memory_bytes = 49152});
  const trace::SliceId reduce =
      slice(stream, SliceKind::comm, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 2500, 4000, 10);
  builder.add(trace::CollectiveArgs{.slice = reduce,
                                    .kind = trace::CollectiveKind::all_reduce,
                                    .dtype = trace::DType::bfloat16,
                                    .group_size = 2,
                                    .in_count = 1'000'000,
                                    .out_count = 1'000'000,
                                    .sequence = 4,
                                    .group = builder.intern("0"),
                                    .group_ranks = builder.intern("[0, 1]")});
  const trace::SliceId copy =
      slice(stream, SliceKind::copy, "Memcpy HtoD (Pinned -> Device)", 6600, 10, int64_t{1} << 45);
  builder.add(trace::CopyArgs{.slice = copy, .kind = trace::CopyKind::h2d, .size_bytes = 4096});
  slice(sync, SliceKind::sync, "Stream Sync", 6700, 5, 11);
  builder.add(trace::CounterSample{counter, 2100, 55'250'000});
  builder.add(trace::CounterSample{counter, 2200, 60'000'000});
  return builder.finish();
}

std::string written(const std::vector<RankTrace>& ranks) {
  std::vector<const RankTrace*> pointers;
  for (const RankTrace& rank : ranks) pointers.push_back(&rank);
  std::string bytes;
  StringSink sink(bytes);
  const Status status = write(pointers, sink);
  EXPECT_TRUE(status.has_value()) << status.error().text();
  return bytes;
}

Result<std::vector<RankTrace>> read_back(std::string_view bytes, size_t chunk = SIZE_MAX) {
  MemorySource source(bytes, "trace.pftrace", chunk);
  NoProgress progress;
  return read_any(source, progress);
}

TEST(Pftrace, WhatIsWrittenIsReadBack) {
  for (const int ranks : {1, 2}) {
    std::vector<RankTrace> traces;
    for (int32_t rank = 0; rank < ranks; ++rank) traces.push_back(example(rank));
    const std::string bytes = written(traces);
    const auto again = read_back(bytes, 7);
    ASSERT_TRUE(again.has_value()) << again.error().text();
    ASSERT_EQ(again->size(), traces.size());
    for (size_t i = 0; i < traces.size(); ++i) {
      EXPECT_EQ(trace::dump((*again)[i]), trace::dump(traces[i]));
      EXPECT_TRUE((*again)[i].problems.empty());
      EXPECT_EQ((*again)[i].copies.at(0).kind, trace::CopyKind::h2d);
      EXPECT_EQ((*again)[i].flows.size(), 1U);
      EXPECT_EQ((*again)[i].base_time_ns, traces[i].base_time_ns);
      EXPECT_EQ((*again)[i].file_origin_ns, traces[i].file_origin_ns);
    }
    EXPECT_EQ(written(*again), bytes);
  }
}

// The first thing that is wrong with what was read, or nothing.
std::string fault_of(const std::vector<RankTrace>& ranks) {
  const auto violations = trace::check_trace(trace::assemble(ranks), trace::Strictness::recorded);
  return violations.empty() ? std::string() : violations.front().rule + ": " + violations.front().text;
}

TEST(Pftrace, CutAnywhereItIsAnErrorOrAReading) {
  const std::string bytes = written({example(0)});
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto ranks = read_back(std::string_view(bytes).substr(0, size));
    if (!ranks) continue;
    ASSERT_EQ(fault_of(*ranks), "") << size;
  }
}

TEST(Pftrace, ChangedAnywhereItIsAnErrorOrAReading) {
  const std::string bytes = written({example(0)});
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {0x01, 0x80}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      const auto ranks = read_back(damaged);
      if (!ranks) continue;
      ASSERT_EQ(fault_of(*ranks), "") << at;
    }
  }
}

Message packet_of(uint64_t at_ns, uint32_t field, const Message& body) {
  Message packet;
  packet.varint(packet::kTimestamp, at_ns).message(field, body).varint(packet::kSequenceId, 5);
  return packet;
}

// As a program that uses the SDK writes: names in the events themselves, rows that a parent places.
TEST(Pftrace, ForeignTrackEventsAreRead) {
  Message file;
  Message process;
  process.varint(descriptor::kPid, 77).bytes(descriptor::kProcessName, "trainer");
  Message process_row;
  process_row.varint(descriptor::kUuid, 1).message(descriptor::kProcess, process);
  Message row;
  row.varint(descriptor::kUuid, 2).varint(descriptor::kParent, 1).bytes(descriptor::kName, "stream 7");
  for (const Message* descriptor : {&process_row, &row}) {
    Message packet;
    file.message(trace_file::kPacket, packet.message(packet::kTrackDescriptor, *descriptor));
  }
  Message begin;
  begin.varint(event::kType, event::kBegin).varint(event::kTrackUuid, 2).bytes(event::kName, "gemm");
  begin.bytes(event::kCategory, "kernel");
  Message end;
  end.varint(event::kType, event::kEnd).varint(event::kTrackUuid, 2);
  Message lost = begin;
  file.message(trace_file::kPacket, packet_of(1000, packet::kTrackEvent, begin));
  file.message(trace_file::kPacket, packet_of(1750, packet::kTrackEvent, end));
  file.message(trace_file::kPacket, packet_of(1800, packet::kTrackEvent, end));
  file.message(trace_file::kPacket, packet_of(1900, packet::kTrackEvent, lost));
  const auto ranks = read_back(file.view());
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  const RankTrace& rank = ranks->at(0);
  ASSERT_EQ(rank.slice_count(), 1U);
  EXPECT_EQ(rank.kind[0], SliceKind::compute);
  EXPECT_EQ(rank.dur_ns[0], 750);
  EXPECT_EQ(rank.track_of(0).kind, TrackKind::stream);
  EXPECT_EQ(rank.strings.view(rank.track_of(0).process_name), "trainer");
  ASSERT_EQ(rank.problems.size(), 2U);
  EXPECT_EQ(rank.problems[0].id, "unmatched_begin");
  EXPECT_EQ(rank.problems[1].id, "unmatched_end");
}

// A sequence's own clock: increments in microseconds.
TEST(Pftrace, IncrementalClocksAreFollowed) {
  Message clock;
  clock.varint(clock_snapshot::kId, 64).varint(clock_snapshot::kTimestamp, 100);
  clock.varint(clock_snapshot::kIsIncremental, 1).varint(clock_snapshot::kUnitNs, 1000);
  Message snapshot;
  snapshot.message(clock_snapshot::kClock, clock);
  Message defaults;
  defaults.varint(defaults::kClockId, 64);
  Message first;
  first.message(packet::kClockSnapshot, snapshot).message(packet::kDefaults, defaults);
  first.varint(packet::kSequenceId, 5);
  Message file;
  file.message(trace_file::kPacket, first);
  Message begin;
  begin.varint(event::kType, event::kBegin).varint(event::kTrackUuid, 2).bytes(event::kName, "op");
  Message end;
  end.varint(event::kType, event::kEnd).varint(event::kTrackUuid, 2);
  file.message(trace_file::kPacket, packet_of(3, packet::kTrackEvent, begin));
  file.message(trace_file::kPacket, packet_of(4, packet::kTrackEvent, end));
  const auto ranks = read_back(file.view());
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  EXPECT_EQ(ranks->at(0).file_origin_ns, 103'000);
  EXPECT_EQ(ranks->at(0).dur_ns[0], 4'000);
}

TEST(Pftrace, WithoutEventsTheMessageSaysWhatIsMissing) {
  Message packet;
  packet.varint(packet::kSequenceFlags, 3).varint(packet::kSequenceId, 1);
  Message file;
  file.message(trace_file::kPacket, packet);
  const auto ranks = read_back(file.view());
  ASSERT_FALSE(ranks.has_value());
  EXPECT_EQ(ranks.error().code, ErrorCode::malformed);
  EXPECT_NE(ranks.error().message.find("1 packets"), std::string::npos);
}

}  // namespace
}  // namespace td::formats::perfetto
