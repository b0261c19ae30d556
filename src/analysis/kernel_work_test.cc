#include "analysis/kernel_work.h"

#include <gtest/gtest.h>

namespace td::analysis {
namespace {

struct Case {
  const char* what;
  const char* op;
  const char* shapes;
  const char* types;
  double bytes;
  double flop;
  int64_t elements;
  int64_t columns;
};

TEST(KernelWork, ByHand) {
  const Case cases[] = {
      {"a product: 4x8 and 8x16 read, 4x16 written", "aten::mm", "[[4,8],[8,16]]",
       R"(["c10::BFloat16","c10::BFloat16"])", 2 * (32 + 128 + 64), 2 * 4 * 16 * 8, 128, 16},
      {"a batch of them", "aten::bmm", "[[3,64,8],[3,8,64]]", R"(["float","float"])", 4 * (1536 + 1536 + 12288),
       2.0 * 3 * 64 * 64 * 8, 12288, 64},
      {"with a bias in front", "aten::addmm", "[[16],[4,8],[8,16],[],[]]",
       R"(["float","float","float","Scalar","Scalar"])", 4 * (32 + 128 + 64), 2 * 4 * 16 * 8, 128, 16},
      {"a cast", "aten::copy_", "[[2,512],[2,512],[]]", R"(["float","c10::BFloat16","Scalar"])", 1024 * 6, 0, 1024,
       512},
      {"a scalar factor", "aten::mul", "[[2,512],[]]", R"(["c10::BFloat16","Scalar"])", 1024 * 4, 0, 1024, 512},
      {"a mask for all rows", "aten::add", "[[2,512],[1,512],[]]", R"(["float","float","Scalar"])",
       (1024 + 512 + 1024) * 4, 0, 1024, 512},
      {"in place", "aten::add_", "[[100],[100],[]]", R"(["float","float","Scalar"])", 1200, 0, 100, 100},
      {"dropout with its mask", "aten::native_dropout", "[[100],[],[]]", R"(["c10::Half","Scalar","Scalar"])", 500, 0,
       100, 100},
      {"softmax backward", "aten::_softmax_backward_data", "[[8,4],[8,4],[],[]]",
       R"(["float","float","Scalar","Scalar"])", 32 * 12, 0, 32, 4},
  };
  for (const Case& c : cases) {
    const auto work = work_of(c.op, c.shapes, c.types);
    ASSERT_TRUE(work.has_value()) << c.what;
    EXPECT_DOUBLE_EQ(work->bytes, c.bytes) << c.what;
    EXPECT_DOUBLE_EQ(work->flop, c.flop) << c.what;
    EXPECT_EQ(work->elements, c.elements) << c.what;
    EXPECT_EQ(work->columns, c.columns) << c.what;
  }
}

TEST(KernelWork, WhatIsNotKnownIsNotGuessed) {
  const struct {
    const char* op;
    const char* shapes;
    const char* types;
  } cases[] = {
      {"aten::mul", "", ""},
      {"aten::mul", "[[2,512],[2,512]]", R"(["c10::BFloat16"])"},             // a tensor without a type
      {"aten::cat", "[[[2,512],[2,512]],[]]", R"(["TensorList","Scalar"])"},  // a list
      {"aten::mul", "[[2,-1]]", R"(["float"])"},
      {"aten::mul", "[[2,512", R"(["complex"])"},
      {"aten::mul", "[[99999999999999999999]]", R"(["float"])"},
      {"aten::mul", "[[1000000000,1000000000]]", R"(["float"])"},
      {"aten::mm", "[[4,8],[9,16]]", R"(["float","float"])"},  // does not multiply
      {"aten::mm", "[[4,8]]", R"(["float"])"},
      {"aten::_flash_attention_forward", "[[4,8]]", R"(["float"])"},
      {"MyOp", "[[4,8]]", R"(["float"])"},
      {"aten::mul", "[[],[]]", R"(["Scalar","Scalar"])"},
  };
  for (const auto& c : cases) EXPECT_FALSE(work_of(c.op, c.shapes, c.types).has_value()) << c.op << " " << c.shapes;
}

TEST(KernelWork, KernelsAreGroupedByTheirOp) {
  trace::RankTraceBuilder builder;
  const trace::TrackId host = builder.add_track({.kind = trace::TrackKind::host_thread});
  const trace::TrackId stream = builder.add_track({.kind = trace::TrackKind::stream});
  const auto op = builder.add_slice(host, trace::SliceKind::host_op, builder.intern("aten::mul"), 0, 10);
  builder.add(trace::OpArgs{.slice = op, .external_id = 7});
  for (const int64_t id : {7, 7, 8}) {
    const auto at = static_cast<TimeNs>(builder.slice_count()) * 100;
    const auto kernel = builder.add_slice(stream, trace::SliceKind::compute, builder.intern("k"), at, 50);
    builder.add(trace::OpArgs{.slice = kernel, .external_id = id});
  }
  const trace::RankTrace rank = builder.finish();
  const std::vector<OpKernels> groups = by_op(rank, {1, 2, 3});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].op, 0U);
  EXPECT_EQ(groups[0].kernels.size(), 2U);
  EXPECT_EQ(groups[0].dur_ns, 100);
  EXPECT_EQ(groups[1].op, trace::kNoSlice);
}

}  // namespace
}  // namespace td::analysis
