// Sets of time as sorted, disjoint, half-open intervals. Every share of time in a reading is measured with these,
// never with sums of durations that may overlap.
#pragma once

#include <span>
#include <vector>

#include "base/units.h"

namespace td {

struct Interval {
  TimeNs begin_ns = 0;
  TimeNs end_ns = 0;  // exclusive
  [[nodiscard]] TimeNs length_ns() const { return end_ns - begin_ns; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Sorted by begin, disjoint, none empty, none touching.
using IntervalSet = std::vector<Interval>;

// The union of intervals in any order; empty and negative ones are left out.
IntervalSet unite(std::vector<Interval> intervals);
IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
IntervalSet clip(const IntervalSet& a, Interval window);
TimeNs total_ns(const IntervalSet& a);

}  // namespace td
