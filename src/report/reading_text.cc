#include "report/reading_text.h"

#include <algorithm>
#include <array>

#include "analysis/text.h"
#include "base/math.h"
#include "catalog/catalog.h"
#include "report/reading_page.h"

namespace td::report {
namespace {

using namespace td::analysis;

constexpr size_t kIndent = 18;  // where a section's body begins
constexpr size_t kMaxSteps = 6;
constexpr size_t kMaxRanks = 16;
constexpr size_t kMaxProblems = 8;
constexpr size_t kMaxKernels = 5;
constexpr size_t kMaxKinds = 6;

// The file's own timestamp, as it stands there: microseconds with three decimals.
std::string file_time(const Span& span) {
  const bool negative = span.file_ts_ns < 0;
  const auto magnitude = negative ? 0 - static_cast<uint64_t>(span.file_ts_ns) : static_cast<uint64_t>(span.file_ts_ns);
  std::string rest = std::to_string(magnitude % 1000);
  rest.insert(0, 3 - rest.size(), '0');
  return (negative ? "-" : "") + std::to_string(magnitude / 1000) + "." + rest;
}

std::string file_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string words(std::string_view id) {
  std::string out(id);
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string title_of(std::string_view cause) {
  const catalog::Cause* entry = catalog::find_cause(cause);
  return entry != nullptr ? std::string(entry->title) : words(cause);
}

class Writer {
 public:
  Writer(const Reading& reading, const TextStyle& style)
      : reading_(reading), page_(style.colour, static_cast<size_t>(std::clamp(style.columns, 60, 100))) {}

  std::string run() {
    head();
    trust();
    if (reading_.trust.verdict != Verdict::unreadable) {
      steps();
      picture();
      ledger();
      overlap();
      kernels();
    }
    findings();
    return page_.take();
  }

 private:
  // A name in `columns`, its end kept: captures differ there.
  static std::string tail(std::string name, size_t columns) {
    if (width_of(name) <= columns) return name;
    size_t from = name.size() - (columns - 3);
    while (from < name.size() && (static_cast<unsigned char>(name[from]) & 0xC0) == 0x80) ++from;
    return "..." + name.substr(from);
  }

  void head() {
    const std::string device = reading_.ranks.empty() ? "" : TextPage::left(reading_.ranks.front().device, 28);
    std::string who = device.substr(0, device.find_last_not_of(' ') + 1);
    std::string name;
    if (reading_.files.size() == 1) {
      name = file_name(reading_.files.front());
    } else if (!reading_.files.empty()) {
      name = tail(file_name(reading_.files.front()), 30) + " ... " + tail(file_name(reading_.files.back()), 30);
    }
    if (reading_.ranks.size() > 1) {
      who += (who.empty() ? "" : ", ") + count_text(static_cast<int64_t>(reading_.ranks.size()), "rank");
    } else if (!reading_.ranks.empty() && reading_.ranks.front().world_size.value_or(1) > 1) {
      who += (who.empty() ? "" : ", ") + ("rank " + std::to_string(reading_.ranks.front().rank)) + " of " +
             std::to_string(reading_.ranks.front().world_size.value_or(1));
    }
    const size_t room = page_.columns() - width_of(who) - 3;
    page_.line(page_.in(Ink::strong, tail(name, room)) + (who.empty() ? "" : "   " + who));
    for (const UnreadFile& file : reading_.unread_files)
      page_.wrap(kIndent, page_.in(Ink::bad, "not read"), file.file + ": " + file.error);
  }

  void trust() {
    const Verdict verdict = reading_.trust.verdict;
    const Ink ink = verdict == Verdict::ok ? Ink::good : verdict == Verdict::limited ? Ink::warning : Ink::bad;
    page_.section(0, "Trust", page_.in(ink, to_string(verdict)));
    size_t shown = 0;
    for (const Problem& problem : reading_.trust.problems) {
      if (++shown > kMaxProblems) {
        page_.wrap(kIndent, "",
                   "and " + std::to_string(reading_.trust.problems.size() - kMaxProblems) + " more (--json has all)");
        break;
      }
      page_.wrap(kIndent, "", problem.text);
    }
  }

  void steps() {
    const Steps& steps = reading_.steps;
    std::string summary;
    switch (steps.source) {
      case StepSource::profiler_step:
        summary = "ProfilerStep marks";
        break;
      case StepSource::annotation:
        summary = "annotations";
        break;
      case StepSource::motif:
        summary = "repeating kernel sequence (no marks)";
        break;
      case StepSource::whole_trace:
        summary = "none: the whole trace is read as one";
        break;
    }
    if (steps.source != StepSource::whole_trace) summary += ", " + count_text(steps.count, "complete step");
    if (steps.median_ns)
      summary += (steps.source == StepSource::whole_trace ? ", " : ", median ") +
                 page_.in(Ink::strong, duration_text(*steps.median_ns));
    page_.section(1, "Step boundary", summary);
    if (steps.source == StepSource::whole_trace) return;
    TextTable table({{"step"}, {"device time", true}, {""}});
    const int32_t first = reading_.ranks.front().rank;
    size_t shown = 0;
    size_t all = 0;
    for (const StepItem& item : steps.items) {
      if (item.rank != first) continue;
      ++all;
      if (shown == kMaxSteps) continue;
      ++shown;
      table.row({short_name(item.name, 44), duration_text(item.dur_ns),
                 item.partial   ? "cut by the window"
                 : item.warmup  ? "warm-up"
                 : item.outlier ? "outlier"
                                : ""});
    }
    table.print(page_, kIndent);
    if (all > shown) page_.line(std::string(kIndent, ' ') + "and " + std::to_string(all - shown) + " more");
  }

  // Blocks in proportion; what is there gets at least one, the largest gives way.
  std::string bar(const std::array<TimeNs, 4>& parts, TimeNs whole_ns) {
    constexpr std::array<std::string_view, 4> kBlocks = {"█", "▓", "▒", "░"};
    constexpr std::array<Ink, 4> kInks = {Ink::compute, Ink::comm, Ink::copy, Ink::idle};
    const auto width = static_cast<int64_t>(page_.columns() - kIndent);
    std::array<int64_t, 4> blocks{};
    int64_t used = 0;
    for (size_t i = 0; i < 4; ++i) {
      if (parts[i] > 0)
        blocks[i] = std::max<int64_t>(1, round_to_int(fraction(parts[i], whole_ns) * static_cast<double>(width)));
      used += blocks[i];
    }
    *std::ranges::max_element(blocks) += width - used;
    std::string out;
    for (size_t i = 0; i < 4; ++i) {
      std::string run;
      for (int64_t n = 0; n < blocks[i]; ++n) run += kBlocks[i];
      out += page_.in(kInks[i], run);
    }
    return out;
  }

  // The median step: the launching thread by letters, streams by how much of each column their work covers.
  void picture() {
    constexpr std::array<std::string_view, 9> kBlocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::array<Ink, 4> kInks = {Ink::plain, Ink::compute, Ink::comm, Ink::copy};
    const Picture& picture = reading_.picture;
    if (picture.rows.empty() || page_.columns() < kIndent + 12 + picture.rows.front().cells.size()) return;
    page_.blank();
    page_.line(std::string(kIndent, ' ') + short_name(picture.step, 40) + " of rank " + std::to_string(picture.rank) +
               (reading_.steps.source == StepSource::whole_trace ? "" : ", of median length") + ", " +
               duration_text(picture.dur_ns) + ":");
    bool letters = false;
    for (const PictureRow& row : picture.rows) {
      std::string cells;
      for (const char cell : row.cells) {
        if (row.kind == PictureKind::host) {
          cells += cell;
          letters = letters || (cell >= 'a' && cell <= 'z');
        } else {
          cells += kBlocks[static_cast<size_t>(std::clamp(cell - '0', 0, 8))];
        }
      }
      page_.line(std::string(kIndent, ' ') + TextPage::left(row.name, 11) + " " +
                 page_.in(kInks[static_cast<size_t>(row.kind)], cells));
    }
    if (letters)
      page_.line(page_.in(Ink::faint, std::string(kIndent, ' ') +
                                          "host: . ops, s sync, l loader, m memory, c compiler, g collector, h hooks"));
  }

  void ledger() {
    const auto first = std::ranges::find_if(reading_.ledgers, [](const Ledger& l) { return l.steps > 0; });
    if (first == reading_.ledgers.end()) {
      page_.section(2, "Gap ledger", "no step to account for");
      return;
    }
    const Ledger& own = *first;
    const std::string over = reading_.steps.source == StepSource::whole_trace
                                 ? std::string("first to last GPU event")
                                 : "mean of " + count_text(own.steps, "step");
    page_.section(
        2, "Gap ledger",
        "rank " + std::to_string(own.rank) + ", " + over + ", " + page_.in(Ink::strong, duration_text(own.step_ns)));
    page_.line(std::string(kIndent, ' ') +
               bar({own.compute_ns, own.exposed_comm_ns, own.exposed_copy_ns, own.idle_ns}, own.step_ns));
    TextTable parts({{""}, {"", true}, {"", true}, {""}});
    const auto part = [&](Ink ink, std::string_view block, std::string_view name, TimeNs ns, std::string note) {
      parts.row({page_.in(ink, block) + " " + std::string(name), duration_text(ns), percent_text(ns, own.step_ns),
                 std::move(note)});
    };
    part(Ink::compute, "█", "compute", own.compute_ns, "");
    part(Ink::comm, "▓", "exposed communication", own.exposed_comm_ns,
         own.comm_wait_ns ? duration_text(own.comm_wait_ns.value_or(0)) + " waiting, " +
                                duration_text(own.comm_transfer_ns.value_or(0)) + " transfer"
         : own.exposed_comm_ns > 0 ? "waiting and transfer not told apart"
                                   : "");
    part(Ink::copy, "▒", "exposed copies", own.exposed_copy_ns, "");
    part(Ink::idle, "░", "idle", own.idle_ns, "");
    print_without_head(parts);
    if (!own.gaps.empty()) {
      page_.blank();
      gap_owners(own);
    }
    if (own.harmless_syncs.count > 0)
      page_.wrap(kIndent, "",
                 count_text(own.harmless_syncs.count, "blocking call") + " opened no gap (the host stood " +
                     duration_text(own.harmless_syncs.blocked_ns) + " " + per() +
                     " in them while the device worked): harmless.");
    rank_table();
  }

  void print_without_head(const TextTable& table) {
    TextPage scratch(false, page_.columns());
    table.print(scratch, kIndent);
    const std::string text = scratch.take();
    const size_t first = text.find('\n');
    std::string body = text.substr(first + 1);
    while (body.ends_with('\n')) body.pop_back();
    page_.line(body);
  }

  void gap_owners(const Ledger& own) {
    TextTable table({{"idle by owner"},
                     {per(), true},
                     {"of it", true},
                     {"gaps", true},
                     {"rhythm"},
                     {"longest", true},
                     {"at (us)", true}});
    for (const GapGroup& group : own.gaps)
      table.row({words(to_string(group.owner)), duration_text(group.total_ns),
                 percent_text(group.total_ns, own.step_ns), std::to_string(group.count),
                 group.rhythm ? words(to_string(*group.rhythm)) : "-", duration_text(group.longest.dur_ns),
                 file_time(group.longest)});
    table.print(page_, kIndent);
  }

  void rank_table() {
    if (reading_.ledgers.size() < 2) return;
    page_.blank();
    TextTable table({{"rank", true},
                     {"step", true},
                     {"compute", true},
                     {"exposed", true},
                     {"waiting", true},
                     {"transfer", true},
                     {"idle", true}});
    size_t shown = 0;
    for (const Ledger& row : reading_.ledgers) {
      if (++shown > kMaxRanks) break;
      const auto known = [&](TimeNs ns) { return row.steps > 0 ? duration_text(ns) : std::string("-"); };
      const auto maybe = [](std::optional<TimeNs> ns) { return ns ? duration_text(*ns) : std::string("-"); };
      table.row({std::to_string(row.rank), known(row.step_ns), known(row.compute_ns), known(row.exposed_comm_ns),
                 maybe(row.comm_wait_ns), maybe(row.comm_transfer_ns), known(row.idle_ns)});
    }
    table.print(page_, kIndent);
    if (reading_.ledgers.size() > kMaxRanks)
      page_.line(std::string(kIndent, ' ') + "and " + std::to_string(reading_.ledgers.size() - kMaxRanks) + " more");
  }

  void overlap() {
    const Overlap& overlap = reading_.overlap;
    if (!overlap.comm_ns || *overlap.comm_ns == 0) {
      page_.section(3, "Overlap", "no communication");
      return;
    }
    page_.section(3, "Overlap",
                  page_.in(Ink::strong, percent_text(overlap.overlap_frac.value_or(0))) + " hidden: of " +
                      duration_text(overlap.comm_ns.value_or(0)) + " communication " + per() + ", " +
                      page_.in(Ink::strong, duration_text(overlap.exposed_ns.value_or(0))) + " exposed");
    TextTable table({{"collective"},
                     {"group"},
                     {"calls", true},
                     {"bytes a call", true},
                     {per(), true},
                     {"exposed", true},
                     {"busbw", true}});
    size_t shown = 0;
    for (const OverlapKind& row : overlap.by_kind) {
      if (++shown > kMaxKinds) break;
      table.row({row.kind,
                 TextPage::left(row.group.empty() ? "-" : row.group,
                                std::min<size_t>(16, std::max<size_t>(1, row.group.size()))),
                 std::to_string(row.calls), row.bytes_per_call ? bytes_text(*row.bytes_per_call) : "-",
                 duration_text(row.comm_ns), duration_text(row.exposed_ns),
                 row.busbw_bytes_per_s ? rate_text(*row.busbw_bytes_per_s) : "-"});
    }
    table.print(page_, kIndent);
    last_arrival();
  }

  void last_arrival() {
    const LastArrival& last = reading_.collectives.last_arrival;
    std::string text;
    switch (last.kind) {
      case LastArrivalKind::always_rank:
        text = "Last to arrive: rank " + std::to_string(last.rank.value_or(-1)) + " in " +
               percent_text(last.share_frac.value_or(0)) + " of the steps; that costs " +
               duration_text(last.lateness_ns.value_or(0)) + " a step.";
        break;
      case LastArrivalKind::rotating:
        text = "Last to arrive: a rank in turn; that costs " + duration_text(last.lateness_ns.value_or(0)) + " a step.";
        break;
      case LastArrivalKind::none:
        text = "Last to arrive: nobody to speak of (" + duration_text(last.lateness_ns.value_or(0)) + " a step).";
        break;
      case LastArrivalKind::unknown:
        if (reading_.ranks.size() < 2) return;
        text = "Who arrives last cannot be told.";
        break;
    }
    page_.wrap(kIndent, "", text);
  }

  void kernels() {
    if (reading_.kernels.empty()) {
      page_.section(4, "Longest kernel", "none");
      return;
    }
    page_.section(4, "Longest kernel", short_name(reading_.kernels.front().name, page_.columns() - kIndent));
    TextTable table({{"compute", true}, {"total", true}, {"calls", true}, {"mean", true}, {"name"}});
    size_t shown = 0;
    for (const KernelRow& row : reading_.kernels) {
      if (++shown > kMaxKernels) break;
      table.row({percent_text(row.share_of_compute_frac), duration_text(row.total_ns), std::to_string(row.count),
                 duration_text(row.mean_ns), short_name(row.name, page_.columns() - kIndent - 42)});
    }
    table.print(page_, kIndent);
  }

  void findings() {
    std::string summary;
    for (const Finding& finding : reading_.findings) summary += (summary.empty() ? "" : "; ") + title_of(finding.cause);
    page_.section(5, "Findings", page_.in(Ink::strong, summary.empty() ? "none" : summary));
    for (const Finding& finding : reading_.findings) one_finding(finding);
  }

  void one_finding(const Finding& finding) {
    page_.blank();
    std::string head = page_.in(Ink::strong, title_of(finding.cause)) + "  [" + finding.cause + "]   confidence " +
                       decimal_text(finding.confidence, 2);
    if (finding.cost_ns_per_step && *finding.cost_ns_per_step > 0)
      head += "   costs " + duration_text(*finding.cost_ns_per_step) + " " + per();
    page_.line("   " + head);
    for (const Evidence& evidence : finding.evidence) {
      page_.wrap(kIndent, "   evidence", evidence.text);
      for (const Span& span : evidence.spans) place(span);
    }
    for (const RuledOut& out : finding.ruled_out)
      page_.wrap(kIndent, "   not", title_of(out.cause) + ": " + out.why + (out.why.ends_with('.') ? "" : "."));
    if (!finding.confirm.empty()) page_.wrap(kIndent, "   confirm", finding.confirm);
    if (!finding.fix.empty()) page_.wrap(kIndent, "   fix", finding.fix);
    if (finding.what_if && finding.what_if->win_frac > 0)
      page_.wrap(kIndent, "   what if",
                 "a step would take " + duration_text(finding.what_if->step_ns) + ", a win of " +
                     percent_text(finding.what_if->win_frac) + " per " + finding.what_if->per + ": " +
                     finding.what_if->method + ".");
  }

  void place(const Span& span) {
    const std::string where =
        (reading_.ranks.size() > 1 ? "rank " + std::to_string(span.rank) + ", " : "") + span.track;
    const std::string when = "at " + file_time(span) + " us, " + duration_text(span.dur_ns);
    const size_t room = page_.columns() - kIndent - 2;
    const size_t used = width_of(when) + 2 + std::min<size_t>(width_of(where), 30) + 2;
    const size_t left = room > used + 8 ? room - used : 8;
    // Brackets of a kernel's name are templates and parameters; of a host name ("enumerate(DataLoader)#...") they are
    // it.
    std::string shown = span.during.empty() ? short_name(span.name, left) : TextPage::left(span.during, left);
    while (shown.ends_with(' ')) shown.pop_back();
    page_.line(page_.in(Ink::faint, std::string(kIndent, ' ') + "· " + when + ", " +
                                        TextPage::left(where, std::min<size_t>(width_of(where), 30)) + ", " + shown));
  }

  // What a mean is per.
  [[nodiscard]] std::string per() const {
    return reading_.steps.source == StepSource::whole_trace ? "in all" : "a step";
  }

  const Reading& reading_;
  TextPage page_;
};

}  // namespace

std::string reading_text(const Reading& reading, const TextStyle& style) { return Writer(reading, style).run(); }

}  // namespace td::report
