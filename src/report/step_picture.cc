#include "report/step_picture.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/intervals.h"
#include "drill/text.h"
#include "trace/kernel_class.h"

namespace td::report {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::TrackId;

// In CSS pixels.
constexpr int64_t kWidth = 760;
constexpr int64_t kLeft = 74;
constexpr int64_t kColumns = 676;
constexpr int64_t kTop = 34;
constexpr int64_t kRowHeight = 18;
constexpr int64_t kRowStep = 28;  // the mark stands between two rows
constexpr int64_t kRankGap = 26;
constexpr int64_t kLeastLabelled = 64;
constexpr int64_t kCharWidth = 6;
constexpr int kLevels = 4;
constexpr int64_t kMarginPercent = 3;  // of the step, shown of its neighbours

// What a stretch of a row is; the order of the legend.
enum class Ink : uint8_t { host, python, loader, launch, blocking, compute, copy, comm };
struct InkName {
  std::string_view id;
  std::string_view title;
};
constexpr std::array<InkName, 8> kInks = {{{"o", "host ops"},
                                           {"p", "Python frames"},
                                           {"w", "waits for a batch"},
                                           {"r", "runtime calls"},
                                           {"b", "waits for the device"},
                                           {"k", "compute"},
                                           {"y", "copies"},
                                           {"c", "NCCL"}}};

constexpr std::string_view kStyle =
    "svg{--i:#14171b;--d:#5f6874;--l:#cfd5dc;--t:#f3f5f7;--on:#fff;--k:#2b6cb0;--c:#c2410c;--y:#0b7d66;--h:#6b7280;"
    "--p:#454d58;--w:#86328f;font:11px system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){svg{--i:#eceff3;--d:#929ca9;--l:#363d47;--t:#1a1f26;--on:#0d1014;--k:#63aef0;"
    "--c:#f28b46;--y:#4fd6b0;--h:#8f99a7;--p:#b4bcc7;--w:#c873c6}}"
    "text{fill:var(--i)}.d{fill:var(--d)}.n{fill:var(--on);font-size:10px}.t{fill:var(--t)}.g{stroke:var(--l)}"
    ".e{stroke:var(--i);stroke-width:2;fill:none}.m{font-weight:700}"
    ".o,.r{fill:var(--h)}.p,.b{fill:var(--p)}.w{fill:var(--w)}.k{fill:var(--k)}.y{fill:var(--y)}.c{fill:var(--c)}";

// A slice of a row, on the common clock.
struct Piece {
  Interval at;
  SliceId slice = trace::kNoSlice;
};

struct Row {
  std::string_view title;
  std::array<std::vector<Piece>, kInks.size()> pieces;
  std::vector<TrackId> tracks;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number(int64_t value) { return std::to_string(value); }

std::string text_at(int64_t x, int64_t y, std::string_view classes, std::string_view text) {
  std::string out = "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"";
  if (!classes.empty()) out += " class=\"" + std::string(classes) + "\"";
  return out + ">" + escaped(text) + "</text>\n";
}

std::string rect(int64_t x, int64_t y, int64_t width, int64_t height, std::string_view ink) {
  return "<rect class=\"" + std::string(ink) + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
         number(width) + "\" height=\"" + number(height) + "\"/>";
}

class Scale {
 public:
  explicit Scale(Interval window) : window_(window) {}
  [[nodiscard]] const Interval& window() const { return window_; }
  [[nodiscard]] int64_t x(TimeNs at_ns) const {
    const TimeNs inside = std::clamp(at_ns, window_.begin_ns, window_.end_ns) - window_.begin_ns;
    return kLeft + static_cast<int64_t>(static_cast<__int128>(inside) * kColumns / window_.length_ns());
  }
  [[nodiscard]] TimeNs column_begin_ns(int64_t column) const {
    return window_.begin_ns + static_cast<TimeNs>(static_cast<__int128>(window_.length_ns()) * column / kColumns);
  }

 private:
  Interval window_;
};

// Threads that launch GPU work; the others (a watchdog) are left out.
std::vector<bool> launching_threads(const RankTrace& rank) {
  std::vector<bool> out(rank.tracks.size(), false);
  const trace::LaunchIndex launches(rank);
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (!trace::is_gpu_work(rank.kind[slice])) continue;
    const SliceId launch = launches.launch_of(slice);
    if (launch != trace::kNoSlice) out[rank.track[launch]] = true;
  }
  return out;
}

enum : uint8_t { host_row, launch_row, gpu_row, comm_row };

struct Spot {
  uint8_t row;
  Ink ink;
};

// Where a slice is drawn; annotations that span a step, counters and the profiler's own are not.
std::optional<Spot> spot_of(const RankTrace& rank, SliceId slice) {
  switch (rank.kind[slice]) {
    case SliceKind::host_op:
      return Spot{host_row, Ink::host};
    case SliceKind::python:
      return Spot{host_row, Ink::python};
    case SliceKind::loader:
      return Spot{host_row, Ink::loader};
    case SliceKind::runtime:
      return Spot{launch_row, trace::is_blocking_sync(rank.name_of(slice)) ? Ink::blocking : Ink::launch};
    case SliceKind::compute:
      return Spot{gpu_row, Ink::compute};
    case SliceKind::copy:
    case SliceKind::memset:
      return Spot{gpu_row, Ink::copy};
    case SliceKind::comm:
      return Spot{comm_row, Ink::comm};
    default:
      return std::nullopt;
  }
}

std::array<Row, 4> rows_of(const RankTrace& rank, Interval window) {
  std::array<Row, 4> rows;
  rows[host_row].title = "host";
  rows[launch_row].title = "launch";
  rows[gpu_row].title = "GPU";
  rows[comm_row].title = "NCCL";
  const std::vector<bool> launching = launching_threads(rank);
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const TrackId track = rank.track[slice];
    if (trace::is_host(rank.kind[slice]) && !launching[track]) continue;
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    const Interval at = {std::max(begin_ns, window.begin_ns), std::min(begin_ns + rank.dur_ns[slice], window.end_ns)};
    const std::optional<Spot> spot = spot_of(rank, slice);
    if (!spot || at.end_ns <= at.begin_ns) continue;
    Row& row = rows[spot->row];
    row.pieces[static_cast<size_t>(spot->ink)].push_back({at, slice});
    if (std::ranges::find(row.tracks, track) == row.tracks.end()) row.tracks.push_back(track);
  }
  return rows;
}

IntervalSet union_of(const std::vector<Piece>& pieces) {
  std::vector<Interval> all;
  all.reserve(pieces.size());
  for (const Piece& piece : pieces) all.push_back(piece.at);
  return unite(std::move(all));
}

// 0 nothing to 4 all of it, by column.
std::array<int, kColumns> levels_of(const IntervalSet& covered, const Scale& scale) {
  std::array<int, kColumns> levels = {};
  size_t first = 0;
  for (int64_t column = 0; column < kColumns; ++column) {
    const Interval at = {scale.column_begin_ns(column), scale.column_begin_ns(column + 1)};
    while (first < covered.size() && covered[first].end_ns <= at.begin_ns) ++first;
    TimeNs sum_ns = 0;
    for (size_t i = first; i < covered.size() && covered[i].begin_ns < at.end_ns; ++i) {
      sum_ns += std::min(covered[i].end_ns, at.end_ns) - std::max(covered[i].begin_ns, at.begin_ns);
    }
    if (at.length_ns() <= 0 || sum_ns <= 0) continue;
    levels[static_cast<size_t>(column)] =
        std::max<int>(1, static_cast<int>((sum_ns * kLevels + at.length_ns() / 2) / at.length_ns()));
  }
  return levels;
}

// Runs of columns of one level as one path a level.
std::string paths_of(const std::array<int, kColumns>& levels, std::string_view ink, int64_t y) {
  std::array<std::string, kLevels + 1> paths;
  for (size_t begin = 0; begin < levels.size();) {
    size_t end = begin;
    while (end < levels.size() && levels[end] == levels[begin]) ++end;
    const std::string width = number(static_cast<int64_t>(end - begin));
    if (levels[begin] > 0) {
      std::string& path = paths[static_cast<size_t>(levels[begin])];
      path.append("M").append(number(kLeft + static_cast<int64_t>(begin))).append(" ").append(number(y));
      path.append("h").append(width).append("v").append(number(kRowHeight)).append("h-").append(width).append("z");
    }
    begin = end;
  }
  std::string out;
  for (size_t level = 1; level < paths.size(); ++level) {
    if (paths[level].empty()) continue;
    out += "<path class=\"" + std::string(ink) + "\"";
    if (level < kLevels) out += " opacity=\"." + number(static_cast<int64_t>(level) * 100 / kLevels) + "\"";
    out += " d=\"" + paths[level] + "\"/>\n";
  }
  return out;
}

std::string short_name(std::string_view name, int64_t width) {
  if (name.starts_with("void ")) name.remove_prefix(5);
  const auto most = static_cast<size_t>((width - 8) / kCharWidth);
  return name.size() <= most ? std::string(name) : std::string(name.substr(0, most - 2)) + "..";
}

// Names of the slices that are long enough, the innermost of those that stand in one another.
std::string names_of(const RankTrace& rank, const Row& row, const Scale& scale, int64_t y) {
  std::vector<Piece> pieces;
  for (const auto& of_ink : row.pieces) {
    for (const Piece& piece : of_ink) {
      if (scale.x(piece.at.end_ns) - scale.x(piece.at.begin_ns) >= kLeastLabelled) pieces.push_back(piece);
    }
  }
  std::ranges::stable_sort(pieces, {}, [](const Piece& piece) { return piece.at.length_ns(); });
  IntervalSet taken;
  std::string out;
  for (const Piece& piece : pieces) {
    if (!intersect(taken, IntervalSet{piece.at}).empty()) continue;
    taken = unite(taken, IntervalSet{piece.at});
    const int64_t x = scale.x(piece.at.begin_ns);
    out += text_at(x + 4, y + 13, "n", short_name(rank.name_of(piece.slice), scale.x(piece.at.end_ns) - x));
  }
  return out;
}

std::string row_svg(const RankTrace& rank, const Row& row, const Scale& scale, int64_t y, std::array<bool, 8>& used) {
  std::string out = text_at(8, y + 13, "d", row.title);
  out += rect(kLeft, y, kColumns, kRowHeight, "t") + "\n";
  // On the host's row what a frame stands in gives way to it.
  IntervalSet above;
  for (size_t i = kInks.size(); i-- > 0;) {
    const IntervalSet covered = union_of(row.pieces[i]);
    if (covered.empty()) continue;
    used[i] = true;
    out += paths_of(levels_of(subtract(covered, above), scale), kInks[i].id, y);
    above = unite(above, covered);
  }
  return out + names_of(rank, row, scale, y);
}

// `y`: where its line stands.
std::string mark_svg(const drill::EvidenceSpan& mark, const Scale& scale, int64_t y) {
  const int64_t x = scale.x(mark.at.begin_ns);
  const int64_t width = std::max<int64_t>(2, scale.x(mark.at.end_ns) - x);
  return "<path class=\"e\" d=\"M" + number(x) + " " + number(y) + "v3h" + number(width) + "v-3\"><title>" +
         escaped(mark.text) + "</title></path>" + text_at(std::max(kLeft - 14, x - 12), y + 6, "m", {&mark.letter, 1});
}

// The evidence on a row; what overlaps the mark before stands a little lower.
std::string marks_svg(const std::vector<drill::EvidenceSpan>& evidence, const RankTrace& rank, const Row& row,
                      const Scale& scale, int64_t y) {
  // A thread has two rows here: ops and calls. Its mark stands under the calls.
  if (row.title == "host") return "";
  constexpr int64_t kLower = 5;
  std::string out;
  TimeNs taken_until_ns = scale.window().begin_ns;
  for (const drill::EvidenceSpan& mark : evidence) {
    const bool here = mark.rank == rank.rank && mark.at.begin_ns < scale.window().end_ns &&
                      mark.at.end_ns > scale.window().begin_ns &&
                      std::ranges::find(row.tracks, mark.track) != row.tracks.end();
    if (!here) continue;
    out += mark_svg(mark, scale, mark.at.begin_ns < taken_until_ns ? y + kLower : y);
    taken_until_ns = std::max(taken_until_ns, mark.at.end_ns);
  }
  return out;
}

// The step that the first evidence stands in.
Interval step_of(const drill::Generated& generated) {
  const std::vector<Interval>& steps = generated.exercise.steps;
  size_t step = 0;
  for (size_t i = 1; i < steps.size() && !generated.truth.evidence.empty(); ++i) {
    if (steps[i].begin_ns <= generated.truth.evidence.front().at.begin_ns) step = i;
  }
  return steps[step];
}

// Rank 0, and the rank that matters: that of the first place or evidence elsewhere, else the last.
std::vector<int32_t> ranks_of(const drill::Generated& generated) {
  const auto& ranks = generated.exercise.trace.ranks;
  if (ranks.size() < 2) return {0};
  for (const drill::Place& place : generated.truth.places) {
    if (place.rank > 0) return {0, place.rank};
  }
  for (const drill::EvidenceSpan& evidence : generated.truth.evidence) {
    if (evidence.rank > 0) return {0, evidence.rank};
  }
  return {0, static_cast<int32_t>(ranks.size()) - 1};
}

// At most nine ticks at 1, 2 or 5 times a power of ten.
TimeNs tick_ns(TimeNs window_ns) {
  TimeNs unit = 1'000;
  while (true) {
    for (const TimeNs factor : {1, 2, 5}) {
      if (window_ns / (unit * factor) <= 8) return unit * factor;
    }
    unit *= 10;
  }
}

std::string axis_svg(const Scale& scale, Interval step, int64_t y) {
  const TimeNs every = tick_ns(scale.window().length_ns());
  std::string out;
  for (TimeNs at = 0; step.begin_ns + at <= scale.window().end_ns; at += every) {
    const int64_t x = scale.x(step.begin_ns + at);
    if (x + kLeastLabelled > kLeft + kColumns + kLeastLabelled / 2) break;
    out += "<path class=\"g\" d=\"M" + number(x) + " " + number(kTop - 6) + "V" + number(y) + "\"/>";
    out += text_at(x + 2, y + 10, "d",
                   at == 0 ? "0" : drill::decimal_text(at, kNsPerMs, every < kNsPerMs ? 2 : 0) + " ms");
  }
  return out;
}

std::string legend_svg(const std::array<bool, 8>& used, int64_t y) {
  std::string out;
  int64_t x = kLeft;
  for (size_t i = 0; i < kInks.size(); ++i) {
    if (!used[i]) continue;
    out += rect(x, y - 9, 10, 10, kInks[i].id) + text_at(x + 14, y, "d", kInks[i].title);
    x += 30 + kCharWidth * static_cast<int64_t>(kInks[i].title.size());
  }
  return out;
}

}  // namespace

std::string step_picture(const drill::Generated& generated) {
  const drill::Exercise& exercise = generated.exercise;
  if (exercise.steps.empty()) return "";
  const Interval step = step_of(generated);
  const TimeNs margin_ns = step.length_ns() * kMarginPercent / 100;
  const Interval window = {step.begin_ns - margin_ns, step.end_ns + margin_ns};
  const Scale scale(window);
  std::array<bool, 8> used = {};
  std::string body;
  std::string marks;  // over all rows
  int64_t y = kTop;
  for (const int32_t index : ranks_of(generated)) {
    const RankTrace& rank = exercise.trace.ranks[static_cast<size_t>(index)];
    body += text_at(8, y + 4, "m", "rank " + number(rank.rank));
    body += text_at(kLeft, y + 4, "d", exercise.rank_titles[static_cast<size_t>(index)]);
    y += 12;
    for (const Row& row : rows_of(rank, window)) {
      if (row.tracks.empty()) continue;
      body += row_svg(rank, row, scale, y, used);
      marks += marks_svg(generated.truth.evidence, rank, row, scale, y + kRowHeight + 1);
      y += kRowStep;
    }
    y += kRankGap - (kRowStep - kRowHeight);
  }
  const int64_t height = y + 34;
  const std::string title = generated.truth.headline + ", one step";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
         "\" role=\"img\"><title>" + escaped(title) + "</title>\n<style>" + std::string(kStyle) + "</style>\n" +
         text_at(8, 16, "m", title) + axis_svg(scale, step, y - 8) + "\n" + body + marks +
         legend_svg(used, height - 8) + "\n</svg>\n";
}

}  // namespace td::report
