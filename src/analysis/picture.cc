#include "analysis/picture.h"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/measured.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceKind;

constexpr size_t kMaxStreams = 5;
constexpr size_t kHostClasses = static_cast<size_t>(HostClass::gc) + 1;
constexpr std::array<char, kHostClasses> kLetters = {' ', 'h', '.', 's', 'm', 'l', 'c', 'g'};

// The step of median length, the lower of two.
size_t median_step(const RankSteps& steps) {
  std::vector<size_t> order = steps.steady;
  std::ranges::stable_sort(order, {}, [&](size_t i) { return steps.items[i].window.length_ns(); });
  return order[(order.size() - 1) / 2];
}

std::vector<Interval> columns_of(Interval window, size_t columns) {
  std::vector<Interval> out;
  for (size_t c = 0; c < columns; ++c) {
    const auto at = [&](size_t i) {
      return window.begin_ns + static_cast<TimeNs>(i) * (window.length_ns() / static_cast<TimeNs>(columns)) +
             static_cast<TimeNs>(i) * (window.length_ns() % static_cast<TimeNs>(columns)) /
                 static_cast<TimeNs>(columns);
    };
    out.push_back({at(c), std::max(at(c) + 1, at(c + 1))});
  }
  return out;
}

// What the thread was in for most of the column; a blank where that is nothing.
std::string host_cells(const HostActivity& host, trace::TrackId thread, const std::vector<Interval>& columns) {
  std::string out;
  for (const Interval& column : columns) {
    std::array<TimeNs, kHostClasses> spent{};
    for (auto it = host.from(thread, column.begin_ns); it != host.of(thread).end() && it->begin_ns < column.end_ns;
         ++it)
      accumulate(spent[static_cast<size_t>(it->what)],
                 std::min(it->end_ns, column.end_ns) - std::max(it->begin_ns, column.begin_ns));
    TimeNs known_ns = 0;
    for (const TimeNs ns : spent) accumulate(known_ns, ns);
    spent[0] += column.length_ns() - known_ns;
    out += kLetters[static_cast<size_t>(std::ranges::max_element(spent) - spent.begin())];
  }
  return out;
}

std::string gpu_cells(const IntervalSet& work, const std::vector<Interval>& columns) {
  std::string out;
  for (const Interval& column : columns) {
    const TimeNs covered_ns = length_within_ns(work, column);
    const int64_t eighths = (covered_ns * 16 / column.length_ns() + 1) / 2;  // rounded
    // What is there at all shows.
    out += static_cast<char>('0' + std::max<int64_t>(covered_ns > 0 ? 1 : 0, eighths));
  }
  return out;
}

struct StreamWork {
  std::vector<Interval> spans;
  std::array<TimeNs, 3> by_kind{};  // compute, comm, copy
};

PictureKind kind_of(const StreamWork& work) {
  const auto most = std::ranges::max_element(work.by_kind) - work.by_kind.begin();
  return most == 0 ? PictureKind::compute : most == 1 ? PictureKind::comm : PictureKind::copy;
}

}  // namespace

Picture picture_of(const Measured& measured, size_t columns) {
  Picture out;
  const size_t first = measured.first_rank();
  if (first == Measured::kNone || columns == 0) return out;
  const MeasuredRank& rank = measured.ranks[first];
  const DeviceStep& step = rank.steps.items[median_step(rank.steps)];
  const std::vector<Interval> cut = columns_of(step.window, columns);
  out.rank = rank.trace().rank;
  out.step = step.name;
  out.start_ns = step.window.begin_ns + rank.offset_ns;
  out.dur_ns = step.window.length_ns();
  if (const trace::TrackId thread = rank.host.main_thread(); thread != HostActivity::kNoTrack)
    out.rows.push_back({"host", PictureKind::host, host_cells(rank.host, thread, cut)});
  std::map<trace::TrackId, StreamWork> streams;
  for (const trace::SliceId slice : rank.timeline.gpu) {
    const Interval at{rank.trace().start_ns[slice], rank.trace().end_ns(slice)};
    if (at.end_ns <= step.window.begin_ns || at.begin_ns >= step.window.end_ns) continue;
    StreamWork& work = streams[rank.trace().track[slice]];
    work.spans.push_back(at);
    const SliceKind kind = rank.trace().kind[slice];
    accumulate(work.by_kind[kind == SliceKind::compute ? 0 : kind == SliceKind::comm ? 1 : 2], at.length_ns());
  }
  std::vector<std::pair<TimeNs, trace::TrackId>> longest;
  std::map<trace::TrackId, IntervalSet> united;
  for (auto& [track, work] : streams) {
    united[track] = unite(std::move(work.spans));
    longest.emplace_back(-length_within_ns(united[track], step.window), track);
  }
  std::ranges::sort(longest);
  if (longest.size() > kMaxStreams) longest.resize(kMaxStreams);
  for (const auto& [negative_ns, track] : longest) {
    const std::string name = "stream " + std::to_string(rank.trace().tracks[track].tid);
    out.rows.push_back({name, kind_of(streams[track]), gpu_cells(united[track], cut)});
  }
  return out;
}

}  // namespace td::analysis
