#include "trace/check_trace.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace td::trace {
namespace {

// One rank of a sound simulated job: slices 0 step, 1 and 2 launches, 3 a kernel, 4 an all-reduce.
RankTrace sound_rank(int32_t rank) {
  RankTraceBuilder builder;
  builder.header().rank = rank;
  builder.header().world_size = 2;
  const TrackId thread = builder.add_track({.kind = TrackKind::host_thread, .pid = 1, .tid = 1});
  const TrackId compute = builder.add_track({.kind = TrackKind::stream, .tid = 7, .device = rank});
  const TrackId comm = builder.add_track({.kind = TrackKind::stream, .tid = 20, .device = rank});
  builder.add_slice(thread, SliceKind::annotation, builder.intern("ProfilerStep#1"), 0, 100);
  builder.add_slice(thread, SliceKind::runtime, builder.intern("cudaLaunchKernel"), 10, 5, 1);
  builder.add_slice(thread, SliceKind::runtime, builder.intern("cudaLaunchKernelExC"), 20, 5, 2);
  builder.add_slice(compute, SliceKind::compute, builder.intern("gemm"), 30, 40, 1);
  const SliceId all_reduce = builder.add_slice(comm, SliceKind::comm, builder.intern("ncclDevKernel"), 50, 40, 2);
  builder.add(CollectiveArgs{.slice = all_reduce,
                             .kind = CollectiveKind::all_reduce,
                             .group_size = 2,
                             .group = builder.intern("0"),
                             .group_ranks = builder.intern("[0, 1]")});
  return builder.finish();
}

Trace sound_trace() {
  std::vector<RankTrace> ranks;
  ranks.push_back(sound_rank(0));
  ranks.push_back(sound_rank(1));
  return assemble(std::move(ranks));
}

std::set<std::string> rules(const Trace& trace, Strictness strictness) {
  std::set<std::string> out;
  for (const Violation& violation : check_trace(trace, strictness)) out.insert(violation.rule);
  return out;
}

TEST(CheckTrace, ASoundTraceHasNoViolation) {
  const Trace trace = sound_trace();
  EXPECT_EQ(rules(trace, Strictness::recorded), std::set<std::string>{});
  EXPECT_EQ(rules(trace, Strictness::simulated), std::set<std::string>{});
  EXPECT_TRUE(check_trace(Trace{}, Strictness::simulated).empty());
}

struct Damage {
  const char* name;
  const char* rule;
  Strictness strictness;  // the laxest that must see it
  std::function<void(Trace&)> apply;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class CheckTraceDamage : public testing::TestWithParam<Damage> {};

TEST_P(CheckTraceDamage, IsFound) {
  Trace trace = sound_trace();
  GetParam().apply(trace);
  EXPECT_TRUE(rules(trace, Strictness::simulated).contains(GetParam().rule));
  EXPECT_EQ(rules(trace, Strictness::recorded).contains(GetParam().rule),
            GetParam().strictness == Strictness::recorded);
  for (const Violation& violation : check_trace(trace, Strictness::simulated)) EXPECT_FALSE(violation.text.empty());
}

constexpr Strictness kRecorded = Strictness::recorded;
constexpr Strictness kSimulated = Strictness::simulated;

INSTANTIATE_TEST_SUITE_P(
    Rules, CheckTraceDamage,
    testing::Values(
        Damage{"short_column", "column_length", kRecorded, [](Trace& t) { t.ranks[0].dur_ns.pop_back(); }},
        Damage{"track_out_of_range", "bad_track_id", kRecorded, [](Trace& t) { t.ranks[1].track[4] = 3; }},
        Damage{"name_out_of_range", "bad_string_id", kRecorded, [](Trace& t) { t.ranks[0].name[0] = 99; }},
        Damage{"track_name_out_of_range", "bad_string_id", kRecorded, [](Trace& t) { t.ranks[0].tracks[0].name = 99; }},
        Damage{"kind_out_of_range", "bad_slice_kind", kRecorded,
               [](Trace& t) { t.ranks[0].kind[0] = static_cast<SliceKind>(200); }},
        Damage{"negative_duration", "negative_duration", kRecorded, [](Trace& t) { t.ranks[0].dur_ns[3] = -1; }},
        Damage{"end_beyond_int64", "end_overflow", kRecorded,
               [](Trace& t) { t.ranks[0].dur_ns[3] = std::numeric_limits<TimeNs>::max(); }},
        Damage{"range_leaves_a_slice_out", "track_range", kRecorded, [](Trace& t) { t.ranks[0].tracks[2].end = 4; }},
        Damage{"range_overlaps_the_next", "track_range", kRecorded, [](Trace& t) { t.ranks[0].tracks[0].end = 4; }},
        Damage{"start_out_of_order", "slice_order", kRecorded, [](Trace& t) { t.ranks[0].start_ns[1] = 25; }},
        Damage{"shorter_before_longer", "slice_order", kRecorded,
               [](Trace& t) {
                 t.ranks[0].start_ns[1] = 20;
                 t.ranks[0].dur_ns[1] = 1;
               }},
        Damage{"side_table_beyond_the_slices", "side_table_range", kRecorded,
               [](Trace& t) { t.ranks[0].collectives[0].slice = 5; }},
        Damage{"side_table_row_twice", "side_table_order", kRecorded,
               [](Trace& t) { t.ranks[0].collectives.push_back(t.ranks[0].collectives[0]); }},
        Damage{"flow_into_nothing", "flow_range", kRecorded, [](Trace& t) { t.ranks[0].flows.push_back({0, 5}); }},
        Damage{"counter_on_no_track", "counter_range", kRecorded,
               [](Trace& t) { t.ranks[0].counters.push_back({.track = 3}); }},
        Damage{"child_outlives_its_parent", "host_nesting", kRecorded, [](Trace& t) { t.ranks[0].dur_ns[2] = 81; }},
        Damage{"ranks_out_of_order", "rank_order", kRecorded, [](Trace& t) { std::swap(t.ranks[0], t.ranks[1]); }},
        Damage{"rank_twice", "rank_order", kSimulated, [](Trace& t) { t.ranks[1].rank = 0; }},
        Damage{"kernels_overlap_on_a_stream", "stream_overlap", kSimulated,
               [](Trace& t) {
                 RankTrace& rank = t.ranks[0];
                 rank.track[4] = 1;
                 rank.tracks[1].end = 5;
                 rank.tracks[2].begin = 5;
               }},
        Damage{"kernel_before_its_launch", "start_before_launch", kSimulated,
               [](Trace& t) { t.ranks[0].start_ns[3] = 9; }},
        Damage{"kernel_without_a_launch", "no_launch", kSimulated, [](Trace& t) { t.ranks[0].correlation[1] = 77; }},
        Damage{"kernel_on_a_host_thread", "gpu_work_off_stream", kSimulated,
               [](Trace& t) { t.ranks[0].tracks[1].kind = TrackKind::other; }},
        Damage{"a_rank_misses_a_collective", "collective_count", kSimulated,
               [](Trace& t) { t.ranks[1].collectives.clear(); }}),
    [](const auto& damage) { return std::string(damage.param.name); });

TEST(CheckTrace, ReportsAtMostTheLimit) {
  Trace trace = sound_trace();
  for (RankTrace& rank : trace.ranks)
    for (TimeNs& dur_ns : rank.dur_ns) dur_ns = -5;
  EXPECT_EQ(check_trace(trace, Strictness::recorded, 3).size(), 3u);
  EXPECT_EQ(check_trace(trace, Strictness::recorded, 100).size(), 10u);
}

TEST(CheckTrace, NamesTheRankAndTheSlice) {
  Trace trace = sound_trace();
  trace.ranks[1].start_ns[3] = 9;
  const std::vector<Violation> found = check_trace(trace, Strictness::simulated);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rank, 1);
  EXPECT_EQ(found[0].slice, 3u);
  EXPECT_EQ(found[0].text, "slice 3 (gemm) starts at 9, before its launch at 10");
}

// A pipeline's first stage sends and its last receives: counts differ and that is no fault.
TEST(CheckTrace, PointToPointNeedsNoEqualCounts) {
  Trace trace = sound_trace();
  for (RankTrace& rank : trace.ranks) rank.collectives[0].kind = CollectiveKind::send_recv;
  trace.ranks[1].collectives.clear();
  EXPECT_TRUE(check_trace(trace, Strictness::simulated).empty());
}

}  // namespace
}  // namespace td::trace
