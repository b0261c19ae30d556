// What a drill's trace shows and why, as plain data. It travels beside the trace, never in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/intervals.h"
#include "base/units.h"
#include "trace/trace.h"

namespace td::drill {

// Intervals on one row that prove a sentence; the letter stands in the sentence and on the timeline.
struct EvidenceSpan {
  char letter = 'A';
  int32_t rank = 0;
  trace::TrackId track = 0;
  Interval at;  // the trace's common clock
  std::string text;
};

struct Sentence {
  std::string text;
  std::string evidence;  // letters: "AB"
};

struct ConfirmText {
  std::string id;       // of the catalogue's measurements
  std::string command;  // "$ nvidia-smi ..."
  std::vector<std::string> prints;
  std::string text;
};

struct FixText {
  std::string id;  // of the catalogue's fixes
  std::string text;
  std::string code_title;
  std::string code_before;
  std::string code_after;
};

struct Lookalike {
  std::string cause;
  std::string text;  // what decides here, with this trace's numbers
};

// A stretch of one row.
struct RowSpan {
  int32_t rank = 0;
  trace::TrackId track = 0;
  Interval at;  // the trace's common clock
};

// One station of the fixed reading order: "step", "gaps", "overlap", "longest".
struct ReadLine {
  std::string id;
  std::string text;
  size_t rank = 0;                  // whose rows it is read on: index in Measured::at
  size_t step = 0;                  // in which steady step
  std::vector<RowSpan> spans = {};  // where to look, in order of time; filled by place_reading_order where empty
};

// A colleague's theory that the prompt holds, and the number of this trace that refutes it.
struct TheoryText {
  std::string cause;  // the catalogue cause that it supposes
  std::string refuted;
};

struct RankRow {
  int32_t rank = 0;
  TimeNs compute_ns = 0;   // forward + backward, mean of the shown steps
  TimeNs comm_ns = 0;      // in collectives
  TimeNs lateness_ns = 0;  // done with backward after the first rank
};

struct SumLine {
  std::string label;
  std::string value;
  bool strong = false;
};

// The simulated win, in figures rounded as they are printed, so that step_ns - fixed_step_ns == win_ns exactly.
struct Win {
  bool per_token = false;    // the fix changes the work in a step: fixed_step_ns is for the same tokens
  TimeNs step_ns = 0;        // mean of the shown steady steps, as traced
  TimeNs fixed_step_ns = 0;  // the same job and seed with the fix applied
  TimeNs win_ns = 0;
  int64_t win_millionths = 0;  // of step_ns
  TimeNs reckoned_ns = 0;      // what the arithmetic written out in `sums` comes to, without the second run
  std::vector<SumLine> sums;
};

// The number that decides the diagnosis. It may be had in two ways (reckoned or measured, say) that come to different
// values; an answer by either is right, and so is one in between.
struct OtherWay {
  std::string value_note;  // how the number itself is had: "end of backward"
  std::string note;        // how this one is
  int64_t value_millionths = 0;
  int32_t told_permille = 0;  // both are printed if they differ by more than this share of the number
};
struct DecidingNumber {
  std::string label;
  std::string unit;
  int64_t value_millionths = 0;
  int64_t slack_millionths = 0;        // an absolute difference that still is right (small shares)
  std::optional<OtherWay> other = {};  // nothing: there is one way
};

// Where the fault is: an answer is right if it covers one of these on that rank.
struct Place {
  int32_t rank = -1;  // -1: any rank, all look alike
  Interval at;
};

struct Truth {
  std::string cause;
  std::string scenario;
  std::string headline;  // "Straggler: rank 5, slow memory"
  std::string summary;   // one sentence
  std::vector<Sentence> signature;
  std::vector<EvidenceSpan> evidence;
  ConfirmText confirm;
  FixText fix;
  std::vector<Lookalike> lookalikes;
  std::optional<TheoryText> theory = {};  // set by the drill, which knows the prompt
  std::vector<ReadLine> read;
  std::vector<RankRow> ranks;
  Win win;
  std::optional<DecidingNumber> number;
  std::vector<Place> places;                // empty: no place is asked
  std::vector<Place> nearby;                // evidence of the effect, not of the cause: "close"
  std::vector<std::string> right_confirms;  // measurement ids, best first
  std::vector<std::string> right_fixes;     // fix ids, best first
};

}  // namespace td::drill
