// A device that stands idle while its host is in one kind of call: waiting for a batch, compiling.
#pragma once

#include <string_view>

#include "base/intervals.h"
#include "trace/trace.h"

namespace td::drill {

struct HostHold {
  trace::TrackId thread = 0;  // row of the longest call
  Interval call;              // the longest call, clipped to the step; the trace's common clock
  Interval idle;              // the longest stretch without GPU work that overlaps a call
  TimeNs call_ns = 0;         // all such calls in the step
  TimeNs idle_ns = 0;         // of that, with the device idle
};

// True for the host slices that are meant.
using HoldTest = bool (*)(trace::SliceKind kind, std::string_view name);
bool waits_for_batch(trace::SliceKind kind, std::string_view name);
bool compiles(trace::SliceKind kind, std::string_view name);

// Of one rank in one device step.
HostHold hold_of(const trace::RankTrace& rank, Interval step, HoldTest is_meant);

}  // namespace td::drill
