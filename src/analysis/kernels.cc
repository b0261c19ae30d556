#include "analysis/kernels.h"

#include <algorithm>
#include <map>

#include "analysis/text.h"
#include "base/saturate.h"

namespace td::analysis {

std::vector<KernelRow> longest_kernels(const MeasuredRank& rank, size_t at_most) {
  const trace::RankTrace& trace = rank.trace();
  std::vector<KernelRow> rows;
  std::map<trace::StringId, size_t> row_of;
  TimeNs all_ns = 0;
  for (const trace::SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::compute) continue;
    const auto [it, is_new] = row_of.emplace(trace.name[slice], rows.size());
    if (is_new) {
      rows.emplace_back();
      rows.back().name = std::string(trace.name_of(slice));
    }
    KernelRow& row = rows[it->second];
    ++row.count;
    accumulate(row.total_ns, trace.dur_ns[slice]);
    accumulate(all_ns, trace.dur_ns[slice]);
  }
  for (KernelRow& row : rows) {
    row.mean_ns = row.total_ns / row.count;
    row.share_of_compute_frac = fraction(row.total_ns, all_ns);
  }
  // Equal totals in the order of their names: ids depend on the order in the file.
  std::ranges::sort(rows, [](const KernelRow& a, const KernelRow& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.name < b.name;
  });
  if (rows.size() > at_most) rows.resize(at_most);
  return rows;
}

}  // namespace td::analysis
