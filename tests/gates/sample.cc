#include "sample.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "analysis/read.h"
#include "base/intervals.h"
#include "drill/drill.h"
#include "formats/format.h"
#include "laws.h"
#include "physics.h"

namespace td::gates {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;

// Every so manyth instance is also simulated again, over another link, and read with its ranks relabelled.
constexpr uint32_t kThoroughEvery = 6;
constexpr int kKinds = static_cast<int>(SliceKind::other) + 1;
constexpr int kTrackKinds = static_cast<int>(trace::TrackKind::other) + 1;

const formats::Format& chrome_json() {
  for (const formats::Format& format : formats::registered_formats()) {
    if (format.id == "chrome_json") return format;
  }
  std::abort();
}

struct Files {
  trace::Trace trace;          // read back
  std::vector<int64_t> bytes;  // by rank
};

// Written one file a rank, and read back from memory.
Result<Files> through_files(const trace::Trace& trace) {
  Files out;
  std::vector<RankTrace> ranks;
  NoProgress progress;
  for (const RankTrace& rank : trace.ranks) {
    std::string bytes;
    StringSink sink(bytes);
    const std::vector<const RankTrace*> one = {&rank};
    TRY_OK(chrome_json().write(one, sink));
    out.bytes.push_back(static_cast<int64_t>(bytes.size()));
    MemorySource source(bytes, "rank" + std::to_string(rank.rank) + ".json");
    std::vector<RankTrace> read = TRY(formats::read_any(source, progress));
    for (RankTrace& read_rank : read) ranks.push_back(std::move(read_rank));
  }
  out.trace = trace::assemble(std::move(ranks));
  return out;
}

// Words of letters alone, in lower case.
void add_words(std::string_view text, std::set<std::string>& out) {
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) {
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } else if (!word.empty()) {
      out.insert(word);
      word.clear();
    }
  }
}

// The names on all ranks, without digits.
std::set<std::string> labels_of(const trace::Trace& trace) {
  std::set<std::string> out;
  for (const RankTrace& rank : trace.ranks) {
    std::set<trace::StringId> names(rank.name.begin(), rank.name.end());
    for (const trace::StringId name : names) {
      std::string label(rank.strings.view(name));
      std::erase_if(label, [](char c) { return c >= '0' && c <= '9'; });
      out.insert(std::move(label));
    }
  }
  return out;
}

// What an eye sees that reads no name: which kinds of events (each has its colour) there are, and how many rows.
std::vector<double> rows_of(const trace::Trace& trace) {
  std::vector<double> kinds(kKinds, 0);
  std::vector<double> tracks(kTrackKinds, 0);
  double most = 0;
  for (const RankTrace& rank : trace.ranks) {
    for (SliceId i = 0; i < rank.slice_count(); ++i) kinds[static_cast<size_t>(rank.kind[i])] = 1;
    for (const trace::Track& track : rank.tracks) ++tracks[static_cast<size_t>(track.kind)];
    most = std::max(most, static_cast<double>(rank.tracks.size()));
  }
  std::vector<double> out = std::move(kinds);
  for (const double count : tracks) out.push_back(count / static_cast<double>(trace.ranks.size()));
  out.push_back(most);
  return out;
}

TimeNs span_of(const RankTrace& rank) {
  TimeNs end_ns = 0;
  for (SliceId i = 0; i < rank.slice_count(); ++i) end_ns = std::max(end_ns, rank.end_ns(i));
  return end_ns;
}

std::vector<double> facts_of(const trace::Trace& trace, size_t steps, const hardware::Gpu& gpu,
                             const std::vector<int64_t>& bytes) {
  double all_bytes = 0;
  for (const int64_t size : bytes) all_bytes += static_cast<double>(size);
  const auto span = static_cast<double>(span_of(trace.ranks.front()));
  return {std::log(span),
          std::log(span / static_cast<double>(std::max<size_t>(1, steps))),
          static_cast<double>(steps),
          static_cast<double>(trace.ranks.size()),
          std::log(gpu.bf16_flop_per_s),
          std::log(gpu.hbm_bytes_per_s),
          static_cast<double>(gpu.sm_count),
          std::log(all_bytes),
          std::log(all_bytes / static_cast<double>(trace.ranks.size()))};
}

// Of the span of all ranks, the share in which a collective's kernel is there.
double comm_share_of(const trace::Trace& trace) {
  TimeNs comm_ns = 0;
  TimeNs all_ns = 0;
  for (const RankTrace& rank : trace.ranks) {
    std::vector<Interval> comm;
    for (SliceId i = 0; i < rank.slice_count(); ++i) {
      if (rank.kind[i] == SliceKind::comm) comm.push_back({rank.start_ns[i], rank.end_ns(i)});
    }
    comm_ns += total_ns(unite(std::move(comm)));
    all_ns += span_of(rank);
  }
  return all_ns == 0 ? 0 : static_cast<double>(comm_ns) / static_cast<double>(all_ns);
}

Result<analysis::Facts> stated_facts(const drill::Exercise& exercise) {
  // They travel as text, as in drill.json.
  return analysis::facts_from_json(TRY(parse_json(exercise.facts_json.dump())));
}

Status measure_exercise(const drill::Exercise& exercise, const hardware::Gpu& gpu, Sample& out) {
  const Files files = TRY(through_files(exercise.trace));
  const analysis::Facts facts = TRY(stated_facts(exercise));
  const analysis::Reading reading = analysis::read(files.trace, facts);
  out.read_as = reading.findings.empty() ? "nothing" : reading.findings.front().cause;
  add_words(exercise.prompt, out.prompt_words);
  out.label_words = labels_of(files.trace);
  out.rows = rows_of(files.trace);
  out.facts = facts_of(files.trace, exercise.steps.size(), gpu, files.bytes);
  out.comm_share = comm_share_of(files.trace);
  out.lifelike = measure_lifelike(files.trace.ranks.front(), files.bytes.front());
  return {};
}

// No fault, no finding: the job with its fix applied, where that leaves nothing wrong.
void check_healthy_job(const drill::SimulatedInstance& drawn, const analysis::Facts& facts, Sample& out) {
  if (!drawn.instance.fixed_faults.empty() || drawn.instance.per_token) return;
  out.checked_healthy_job = true;
  const analysis::Reading reading = analysis::read(drawn.fixed.trace, facts);
  out.healthy_job_has_no_finding = !reading.findings.empty() && reading.findings.front().cause == "healthy";
}

Status fill(uint32_t seed, Sample& out) {
  const drill::Deck& deck = drill::core_deck(drill::Level::standard);
  out.cause = drill::draw_cause(deck, seed);
  const auto begin = std::chrono::steady_clock::now();
  drill::SimulatedInstance drawn = TRY(drill::simulate_cause(out.cause, seed, deck.level, deck.composition));
  out.scenario = drawn.scenario->id;
  out.draw_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  out.tries = drawn.tries;
  const drill::Win win = drill::make_truth(drawn).win;
  out.win_apart_millionths =
      std::abs(static_cast<int64_t>(static_cast<double>(win.reckoned_ns) * 1e6 / static_cast<double>(win.step_ns)) -
               win.win_millionths);
  out.unphysical = unphysical(drawn);
  // The exercise takes the instance's trace; what else needs it comes before.
  drill::SimulatedInstance for_exercise = drawn;
  const drill::Exercise exercise = drill::make_exercise(std::move(for_exercise), seed);
  const analysis::Facts facts = TRY(stated_facts(exercise));
  out.broken_laws = broken_laws(drawn, facts, seed % kThoroughEvery == 0);
  if (seed % kThoroughEvery == 1) check_healthy_job(drawn, facts, out);
  return measure_exercise(exercise, *drawn.job.gpu, out);
}

}  // namespace

Sample draw_sample(uint32_t seed) {
  Sample out;
  out.seed = seed;
  if (const Status status = fill(seed, out); !status) out.error = status.error().text();
  return out;
}

}  // namespace td::gates
