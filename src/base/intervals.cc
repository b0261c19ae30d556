#include "base/intervals.h"

#include <algorithm>

namespace td {

IntervalSet unite(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.end_ns <= i.begin_ns; });
  std::ranges::sort(intervals, [](const Interval& a, const Interval& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns < b.end_ns;
  });
  IntervalSet out;
  for (const Interval& i : intervals) {
    if (!out.empty() && i.begin_ns <= out.back().end_ns) {
      out.back().end_ns = std::max(out.back().end_ns, i.end_ns);
    } else {
      out.push_back(i);
    }
  }
  return out;
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
  std::vector<Interval> all;
  all.reserve(a.size() + b.size());
  all.insert(all.end(), a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return unite(std::move(all));
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const TimeNs begin_ns = std::max(a[i].begin_ns, b[j].begin_ns);
    const TimeNs end_ns = std::min(a[i].end_ns, b[j].end_ns);
    if (begin_ns < end_ns) out.push_back({begin_ns, end_ns});
    if (a[i].end_ns < b[j].end_ns) {
      ++i;
    } else {
      ++j;
    }
  }
  return out;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  size_t j = 0;
  for (const Interval& whole : a) {
    TimeNs at_ns = whole.begin_ns;
    while (j < b.size() && b[j].end_ns <= at_ns) ++j;
    for (size_t k = j; k < b.size() && b[k].begin_ns < whole.end_ns; ++k) {
      if (b[k].begin_ns > at_ns) out.push_back({at_ns, b[k].begin_ns});
      at_ns = std::max(at_ns, b[k].end_ns);
    }
    if (at_ns < whole.end_ns) out.push_back({at_ns, whole.end_ns});
  }
  return out;
}

IntervalSet clip(const IntervalSet& a, Interval window) { return intersect(a, IntervalSet{window}); }

TimeNs total_ns(const IntervalSet& a) {
  TimeNs sum_ns = 0;
  for (const Interval& i : a) sum_ns += i.length_ns();
  return sum_ns;
}

}  // namespace td
