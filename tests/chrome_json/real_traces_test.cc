// Small real traces (tests/traces/README.md) against figures that were worked out from the same files by another
// program with exact integer arithmetic, and against the reader's contract.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/chrome_json/contract.h"

namespace td::tests {
namespace {

using trace::SliceKind;

// GPU events and interval unions over all of them, ns.
struct Figures {
  int64_t gpu_events = 0;
  int64_t span_ns = 0;
  int64_t busy_ns = 0;
  int64_t compute_ns = 0;
  int64_t comm_ns = 0;
  bool operator==(const Figures&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Figures& f) {
    return out << f.gpu_events << " events, span " << f.span_ns << ", busy " << f.busy_ns << ", compute "
               << f.compute_ns << ", comm " << f.comm_ns;
  }
};

int64_t union_ns(std::vector<std::pair<int64_t, int64_t>> spans) {
  std::ranges::sort(spans);
  int64_t total_ns = 0;
  int64_t until_ns = INT64_MIN;
  for (const auto& [from_ns, to_ns] : spans) {
    const int64_t start_ns = std::max(from_ns, until_ns);
    total_ns += std::max<int64_t>(to_ns - start_ns, 0);
    until_ns = std::max(until_ns, to_ns);
  }
  return total_ns;
}

Figures figures_of(const trace::RankTrace& t) {
  std::vector<std::pair<int64_t, int64_t>> all;
  std::vector<std::pair<int64_t, int64_t>> compute;
  std::vector<std::pair<int64_t, int64_t>> comm;
  Figures out;
  int64_t first_ns = INT64_MAX;
  int64_t last_ns = INT64_MIN;
  for (trace::SliceId slice = 0; slice < t.slice_count(); ++slice) {
    if (!is_gpu_work(t.kind[slice])) continue;
    const std::pair span(t.start_ns[slice], t.end_ns(slice));
    all.push_back(span);
    if (t.kind[slice] == SliceKind::compute) compute.push_back(span);
    if (t.kind[slice] == SliceKind::comm) comm.push_back(span);
    first_ns = std::min(first_ns, span.first);
    last_ns = std::max(last_ns, span.second);
  }
  out.gpu_events = static_cast<int64_t>(all.size());
  out.span_ns = all.empty() ? 0 : last_ns - first_ns;
  out.busy_ns = union_ns(all);
  out.compute_ns = union_ns(compute);
  out.comm_ns = union_ns(comm);
  return out;
}

struct RealTrace {
  std::string file;
  std::vector<Figures> ranks;
  friend std::ostream& operator<<(std::ostream& out, const RealTrace& trace) { return out << trace.file; }
};

class ChromeJsonRealTrace : public testing::TestWithParam<RealTrace> {};

TEST_P(ChromeJsonRealTrace, GivesTheReferenceFiguresAndKeepsTheContract) {
  const std::string path = std::string(TD_SOURCE_DIR) + "/tests/traces/" + GetParam().file;
  const Result<Ranks> ranks = read_file(path, path, SIZE_MAX);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  std::vector<Figures> actual;
  for (const trace::RankTrace& rank : *ranks) actual.push_back(figures_of(rank));
  EXPECT_EQ(actual, GetParam().ranks);
  hold_to_contract(path);
}

INSTANTIATE_TEST_SUITE_P(
    Files, ChromeJsonRealTrace,
    testing::Values(
        RealTrace{"hta/triton_example__triton_example.json.gz", {{1, 1760, 1760, 1760, 0}}},
        RealTrace{"hta/amd_trace__mi250_minitoy_train_ROCm6_2_kineto.json.gz", {{16, 8911887, 149042, 110881, 0}}},
        RealTrace{"hta/critical_path__cuda_event_sync_multi_stream__event_sync_trace.json.gz",
                  {{6, 19506000, 372000, 369000, 0}}},
        RealTrace{"hta/with_gpu_user_annotation__step_based_trace_2543932@b2a719.json.gz",
                  {{140, 7737000, 291000, 290000, 0}}},
        RealTrace{"hta/trace_compare__base__base.json.gz", {{18, 274498000, 1694000, 432000, 0}}},
        RealTrace{"hta/large_integer_trace__rank-70@409ef9.Mar_25_20_48_12.2861.pt.trace.json.gz",
                  {{1, 50000, 50000, 0, 50000}}},
        RealTrace{"hta/cpu_only__rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", {{0, 0, 0, 0, 0}}},
        RealTrace{"kineto/docs__traces__before_fix_trace@db36f7.json", {{1, 20, 20, 20, 0}}},
        RealTrace{"tracelens/b300_moe_01_many_experts_few_tokens@ac8c38.json.gz", {{36, 1546141, 231454, 231454, 0}}},
        RealTrace{"tracelens/torch_compile_triton__trace.json.gz", {{12, 12549032, 12549021, 12549021, 0}}},
        RealTrace{"amd-hpctraining/fused_traces__merged_nccl_only.json.gz",
                  {{21, 131875537, 64471378, 0, 64471378},
                   {21, 131706445, 46984875, 0, 46984875},
                   {21, 132095701, 49845198, 0, 49845198},
                   {21, 130411642, 3591089, 0, 3591089}}}));

}  // namespace
}  // namespace td::tests
