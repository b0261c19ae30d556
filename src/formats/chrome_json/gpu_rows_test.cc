#include "formats/chrome_json/gpu_rows.h"

#include <gtest/gtest.h>

#include <string_view>

namespace td::formats::chrome {
namespace {

using trace::CollectiveKind;
using trace::RankTrace;
using trace::SliceKind;
using trace::TrackKind;

// A stream and the row of its annotations.
class Rows {
 public:
  Rows() {
    trace::Track track;
    track.kind = TrackKind::stream;
    track.device = 0;
    track.tid = 7;
    stream_ = builder_.add_track(track);
    track.kind = TrackKind::gpu_annotation;
    notes_ = builder_.add_track(track);
  }
  Rows& kernel(std::string_view name, SliceKind kind, TimeNs start_ns, TimeNs end_ns) {
    builder_.add_slice(stream_, kind, builder_.intern(name), start_ns, end_ns - start_ns);
    return *this;
  }
  Rows& note(std::string_view name, TimeNs start_ns, TimeNs end_ns) {
    builder_.add_slice(notes_, SliceKind::gpu_annotation, builder_.intern(name), start_ns, end_ns - start_ns);
    return *this;
  }
  RankTrace applied() {
    RankTrace trace = builder_.finish_at(0);
    apply_communication_annotations(trace);
    return trace;
  }

 private:
  trace::RankTraceBuilder builder_;
  trace::TrackId stream_ = 0;
  trace::TrackId notes_ = 0;
};

constexpr std::string_view kGeneric = "ncclDevKernel_Generic";

CollectiveKind kind_of(const RankTrace& trace, trace::SliceId slice) {
  const trace::CollectiveArgs* args = trace.collective_args(slice);
  return args != nullptr ? args->kind : CollectiveKind::unknown;
}

TEST(CommunicationAnnotations, TheInnermostThatNamesACollectiveCounts) {
  const RankTrace trace = Rows()
                              .note("nccl:all_reduce", 0, 100'000)
                              .note("nccl:broadcast", 20'000, 60'000)
                              .note("nccl:some_wrapper", 30'000, 50'000)
                              .kernel(kGeneric, SliceKind::comm, 5'000, 15'000)
                              .kernel(kGeneric, SliceKind::comm, 35'000, 45'000)
                              .kernel(kGeneric, SliceKind::comm, 70'000, 80'000)
                              .kernel(kGeneric, SliceKind::comm, 120'000, 130'000)
                              .applied();
  EXPECT_EQ(kind_of(trace, 0), CollectiveKind::all_reduce);
  EXPECT_EQ(kind_of(trace, 1), CollectiveKind::broadcast);
  EXPECT_EQ(kind_of(trace, 2), CollectiveKind::all_reduce);
  EXPECT_EQ(kind_of(trace, 3), CollectiveKind::unknown);
}

TEST(CommunicationAnnotations, ANeighbourWithinTheSlackTakesNothing) {
  // Kernels of 600 ns under annotations that touch: both neighbours are closer than the slack of 1 us.
  const RankTrace trace = Rows()
                              .note("nccl:all_reduce", 0, 800)
                              .note("nccl:broadcast", 800, 1'600)
                              .kernel("mine", SliceKind::compute, 100, 700)
                              .kernel("mine", SliceKind::compute, 900, 1'500)
                              .applied();
  EXPECT_EQ(kind_of(trace, 0), CollectiveKind::all_reduce);
  EXPECT_EQ(kind_of(trace, 1), CollectiveKind::broadcast);
}

TEST(CommunicationAnnotations, RoundedAnnotationsStillHoldTheirKernel) {
  const RankTrace trace =
      Rows().note("nccl:all_reduce", 10'000, 19'000).kernel(kGeneric, SliceKind::comm, 9'400, 19'900).applied();
  EXPECT_EQ(kind_of(trace, 0), CollectiveKind::all_reduce);
}

// Work that grows with the square of either number would take minutes here.
TEST(CommunicationAnnotations, ManyAndDeep) {
  constexpr TimeNs kCount = 200'000;
  Rows rows;
  for (TimeNs i = 0; i < kCount; ++i) {
    rows.note("nccl:all_reduce", 10 * i, 30 * kCount - 10 * i);
    rows.kernel(kGeneric, SliceKind::comm, 10 * i + 1, 10 * i + 6);
  }
  const RankTrace trace = rows.applied();
  ASSERT_EQ(trace.collectives.size(), static_cast<size_t>(kCount));
  EXPECT_EQ(trace.collectives.back().kind, CollectiveKind::all_reduce);
}

}  // namespace
}  // namespace td::formats::chrome
