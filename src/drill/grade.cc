#include "drill/grade.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "drill/text.h"

namespace td::drill {
namespace {

std::string_view title_of(std::string_view cause) {
  const catalog::Cause* found = catalog::find_cause(cause);
  return found == nullptr ? cause : found->title;
}

std::string_view title_in(std::span<const catalog::Choice> choices, std::string_view id) {
  const catalog::Choice* choice = catalog::find_choice(choices, id);
  return choice == nullptr ? id : choice->title;
}

bool holds(const std::vector<std::string>& list, std::string_view id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

const Lookalike* lookalike_of(const Truth& truth, std::string_view cause) {
  for (const Lookalike& lookalike : truth.lookalikes) {
    if (lookalike.cause == cause) return &lookalike;
  }
  return nullptr;
}

Part new_part(std::string_view id, std::string truth) {
  Part part;
  part.id = id;
  part.truth = std::move(truth);
  return part;
}

Part grade_diagnosis(const Truth& truth, const Answer& answer) {
  Part part = new_part("diagnosis", std::string(title_of(truth.cause)));
  part.yours = title_of(answer.diagnosis);
  if (answer.diagnosis == truth.cause) {
    part.grade = Grade::right;
    part.why = truth.summary;
    return part;
  }
  part.grade = Grade::wrong;
  if (const Lookalike* lookalike = lookalike_of(truth, answer.diagnosis)) {
    part.why = "A lookalike. " + lookalike->text;
  } else if (answer.diagnosis == catalog::kInconclusive) {
    part.why = "The trace holds what is needed: all ranks, complete steady steps, and the fabric is stated.";
  } else if (truth.cause == "healthy") {
    part.why = "No known fix wins more than 2 % here.";
  } else {
    part.why = truth.summary;
  }
  return part;
}

// Overlap of two intervals in permille of the longer one, so that marking everything is no answer.
int64_t overlap_permille(Interval answer, Interval place) {
  const TimeNs common = std::min(answer.end_ns, place.end_ns) - std::max(answer.begin_ns, place.begin_ns);
  const TimeNs longer = std::max(answer.length_ns(), place.length_ns());
  if (common <= 0 || longer <= 0) return 0;
  return static_cast<int64_t>(static_cast<__int128>(common) * 1000 / longer);
}

struct BestOverlap {
  int64_t permille = 0;
  bool too_long = false;  // the answer outlasts the evidence
  bool right_rank = false;
};
BestOverlap best_overlap(const std::vector<Place>& places, const AnswerPlace& answer) {
  BestOverlap best;
  for (const Place& place : places) {
    if (place.rank >= 0 && place.rank != answer.rank) continue;
    best.right_rank = true;
    const int64_t permille = overlap_permille(answer.at, place.at);
    if (permille <= best.permille) continue;
    best.permille = permille;
    best.too_long = answer.at.length_ns() > place.at.length_ns();
  }
  return best;
}

std::string place_text(const Truth& truth) {
  if (truth.places.empty()) return "none needed";
  const Place& place = truth.places.front();
  const std::string rank = place.rank < 0 ? "any rank" : "rank " + std::to_string(place.rank);
  return rank + ", " + dur_text(place.at.length_ns());
}

// "84 % of the evidence covered"; of a mark that is too long, how much of it is evidence.
std::string covered_text(const BestOverlap& best) {
  const int64_t percent = (best.permille + 5) / 10;
  if (best.too_long && percent < 100) return std::to_string(percent) + " % of the mark is evidence";
  return (percent == 100 ? "all" : std::to_string(percent) + " %") + " of the evidence covered";
}

Part grade_place(const Truth& truth, const Answer& answer, const Rubric& rubric) {
  Part part = new_part("place", place_text(truth));
  if (answer.place) {
    part.yours = "rank " + std::to_string(answer.place->rank) + ", " + dur_text(answer.place->at.length_ns());
  }
  if (truth.places.empty()) {
    part.grade = Grade::not_needed;
    part.why = "A healthy trace has no place to point at.";
    return part;
  }
  if (!answer.place) {
    part.why = "No place was marked.";
    return part;
  }
  const BestOverlap best = best_overlap(truth.places, *answer.place);
  const BestOverlap effect = best_overlap(truth.nearby, *answer.place);
  const std::string covered = covered_text(best);
  if (best.permille >= rubric.place_right_permille) {
    part.grade = Grade::right;
    part.why = "Right, " + covered + ".";
  } else if (best.permille >= rubric.place_close_permille) {
    part.grade = Grade::close;
    part.why = "Only " + covered + ": the evidence lasts " + dur_text(truth.places.front().at.length_ns()) + ".";
  } else if (effect.permille >= rubric.place_right_permille) {
    part.grade = Grade::close;
    part.why = "This is where the others wait; the cause is on rank " + std::to_string(truth.places.front().rank) + ".";
  } else if (!best.right_rank) {
    part.grade = Grade::wrong;
    part.why = "It is on rank " + std::to_string(truth.places.front().rank) + ", not on rank " +
               std::to_string(answer.place->rank) + ".";
  } else {
    part.grade = Grade::wrong;
    part.why = "The marked time does not match the evidence.";
  }
  return part;
}

// As right as a right answer, once its unit is mended.
constexpr int32_t kUnitSlipPermille = 100;

int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

// |a - b| <= permille / 1000 of b.
bool within_permille(int64_t value, int64_t truth, int32_t permille) {
  return static_cast<__int128>(magnitude(value - truth)) * 1000 <= static_cast<__int128>(magnitude(truth)) * permille;
}

bool within_factor(int64_t value, int64_t truth, int32_t factor) {
  return value > 0 && truth > 0 && value <= truth * factor && truth <= value * factor;
}

std::string number_text(int64_t millionths, std::string_view unit) {
  const int decimals = magnitude(millionths) >= 10000000 ? 1 : 2;
  return decimal_text(millionths, 1000000, decimals) + " " + std::string(unit);
}

// Within the rubric's share of either value or between them.
bool number_right(const DecidingNumber& number, int64_t given, const Rubric& rubric) {
  const int64_t other = number.other ? number.other->value_millionths : number.value_millionths;
  if (given >= std::min(number.value_millionths, other) && given <= std::max(number.value_millionths, other))
    return true;
  return within_permille(given, number.value_millionths, rubric.number_right_permille) ||
         within_permille(given, other, rubric.number_right_permille) ||
         magnitude(given - number.value_millionths) <= number.slack_millionths;
}

// The number, and the other one beside it if they are apart.
std::string number_truth(const DecidingNumber& number) {
  std::string value = number_text(number.value_millionths, number.unit);
  if (!number.other ||
      within_permille(number.other->value_millionths, number.value_millionths, number.other->told_permille)) {
    return value;
  }
  return value + " (" + number.other->value_note + "); " + number_text(number.other->value_millionths, number.unit) +
         " (" + number.other->note + ")";
}

std::string why_number_right(const DecidingNumber& number, int64_t given, const Rubric& rubric) {
  if (number.other) return "Within 10 % of either way to reckon it, or between them.";
  return within_permille(given, number.value_millionths, rubric.number_right_permille)
             ? "Within 10 %."
             : "As near as it can be read off the trace.";
}

// What went wrong, beside the right value, which stands next to it: a unit, a sign, or only how far off.
std::string number_slip(const DecidingNumber& number, int64_t given) {
  const int64_t truth = number.value_millionths;
  if (given < 0) return "The " + number.label + " cannot be negative.";
  if (given == 0) return "There is some; read the " + number.label + " off the evidence.";
  for (const int32_t factor : {1000, 1000000}) {
    if (within_permille(given / factor, truth, kUnitSlipPermille) ||
        within_permille(given, truth / factor, kUnitSlipPermille)) {
      return "Off by a factor of " + grouped_text(factor) + ": it is asked in " + number.unit + ".";
    }
  }
  if (truth <= 0) return "There is next to none of it.";
  const bool more = given > truth;
  return decimal_text(more ? given : truth, more ? truth : given, 1) + " times too " + (more ? "large" : "small") +
         ": it is the " + number.label + ", as the evidence shows it.";
}

Part grade_number(const Truth& truth, const Answer& answer, const Rubric& rubric) {
  Part part = new_part("number", "");
  if (!truth.number) {
    part.grade = Grade::not_needed;
    return part;
  }
  const DecidingNumber& number = *truth.number;
  part.truth = number_truth(number);
  if (!answer.number_millionths) {
    part.why = "It is the " + number.label + ".";
    return part;
  }
  const catalog::Cause* asked = catalog::find_cause(answer.diagnosis);
  part.yours = number_text(*answer.number_millionths, asked == nullptr ? "" : asked->deciding_unit);
  if (answer.diagnosis != truth.cause) {
    part.grade = Grade::wrong;
    part.why = "It belongs to another diagnosis; here the " + number.label + " decides.";
  } else if (number_right(number, *answer.number_millionths, rubric)) {
    part.grade = Grade::right;
    part.why = why_number_right(number, *answer.number_millionths, rubric);
  } else if (within_factor(*answer.number_millionths, number.value_millionths, rubric.number_close_factor)) {
    part.grade = Grade::close;
    part.why = "The right size, but off by more than 10 %.";
  } else {
    part.grade = Grade::wrong;
    part.why = number_slip(number, *answer.number_millionths);
  }
  return part;
}

Part grade_choice(std::string_view id, std::span<const catalog::Choice> choices, const std::vector<std::string>& right,
                  const std::string& given, const std::string& why_right) {
  Part part = new_part(id, right.empty() ? "" : std::string(title_in(choices, right.front())));
  if (given.empty()) {
    part.why = "Nothing was chosen.";
    return part;
  }
  part.yours = title_in(choices, given);
  if (!holds(right, given)) {
    part.grade = Grade::wrong;
    part.why = "It would not " + std::string(id == "fix" ? "remove this cause" : "confirm this cause") + ".";
    return part;
  }
  part.grade = Grade::right;
  part.why = given == right.front() ? why_right : "Right too; the reveal takes: " + part.truth + ".";
  return part;
}

// What the learner divided by, if the answer fits another denominator.
std::string win_slip(const Truth& truth, int64_t answer_millionths) {
  const Win& win = truth.win;
  if (win.win_ns <= 0) return "";
  if (within_permille(answer_millionths, share_millionths(win.win_ns, win.fixed_step_ns), 40)) {
    return "You divided by the healthy step; the win is a share of the traced one.";
  }
  if (within_permille(answer_millionths, share_millionths(win.fixed_step_ns, win.step_ns), 40)) {
    return "That is what is left of the step, not what is won.";
  }
  return answer_millionths > win.win_millionths ? "Too much: only the part that the fix removes is won."
                                                : "Too little for what the fix removes.";
}

Part grade_win(const Truth& truth, const Answer& answer, const Rubric& rubric) {
  const Win& win = truth.win;
  Part part = new_part("win", percent_text(win.win_millionths));
  if (win.win_ns > 0) part.truth += ", " + MsScale(win.step_ns).text(win.win_ns);
  if (!answer.win) {
    part.why = "No win was given.";
    return part;
  }
  const int64_t value = answer.win->value_millionths;
  part.yours = number_text(value, answer.win->in_ms ? "ms" : "%");
  // Both as millionths of the traced step. A millisecond has 1e6 ns, so value_millionths / 1 is nanoseconds.
  const int64_t given = answer.win->in_ms ? share_millionths(value, win.step_ns) : value / 100;
  const int64_t points = magnitude(given - win.win_millionths);
  if (points <= int64_t{rubric.win_right_points} * 10000 ||
      (win.win_millionths > 0 && within_permille(given, win.win_millionths, rubric.win_right_permille))) {
    part.grade = Grade::right;
    part.why = win.win_ns > 0 ? "Within 20 % of the simulated win, or three points." : "Nothing is to be won here.";
    return part;
  }
  part.grade = within_factor(given, win.win_millionths, rubric.win_close_factor) ? Grade::close : Grade::wrong;
  part.why = win.win_ns > 0 ? win_slip(truth, given) : "No fix wins anything here.";
  return part;
}

Part grade_confidence(const Answer& answer, bool diagnosis_right) {
  Part part = new_part("confidence", diagnosis_right ? "the diagnosis is right" : "the diagnosis is wrong");
  if (!answer.confidence_percent) {
    part.why = "No confidence was given.";
    return part;
  }
  const int32_t sure = *answer.confidence_percent;
  part.yours = std::to_string(sure) + " % sure";
  // Calibrated is: sure when right, unsure when wrong. In between it is close either way.
  if (diagnosis_right) {
    part.grade = sure >= 65 ? Grade::right : Grade::close;
    part.why = sure >= 65 ? "Sure, and right." : "Right, and less sure than the evidence allows.";
  } else {
    part.grade = sure >= 80 ? Grade::wrong : sure > 50 ? Grade::close : Grade::right;
    part.why = sure >= 80  ? "Sure, and wrong: look for what would refute the diagnosis before committing."
               : sure > 50 ? "Wrong, but with doubt."
                           : "Wrong, and you said that you could not be sure.";
  }
  return part;
}

}  // namespace

std::string_view to_string(Grade grade) {
  switch (grade) {
    case Grade::right:
      return "right";
    case Grade::close:
      return "close";
    case Grade::wrong:
      return "wrong";
    case Grade::missing:
      return "missing";
    case Grade::not_needed:
      return "not_needed";
  }
  return "missing";
}

Verdict grade(const Truth& truth, const Answer& answer, const Rubric& rubric) {
  Verdict verdict;
  verdict.in_time = answer.elapsed_ms && *answer.elapsed_ms >= 0 && *answer.elapsed_ms < rubric.limit_ms;
  verdict.parts.push_back(grade_diagnosis(truth, answer));
  const bool diagnosis_right = verdict.parts.front().grade == Grade::right;
  verdict.parts.push_back(grade_place(truth, answer, rubric));
  verdict.parts.push_back(grade_number(truth, answer, rubric));
  verdict.parts.push_back(grade_choice("measurement", catalog::all_measurements(), truth.right_confirms,
                                       answer.measurement, "It would settle it."));
  verdict.parts.push_back(
      grade_choice("fix", catalog::all_fixes(), truth.right_fixes, answer.fix, "It removes the cause."));
  verdict.parts.push_back(grade_win(truth, answer, rubric));
  verdict.parts.push_back(grade_confidence(answer, diagnosis_right));
  for (const Part& part : verdict.parts) {
    if (part.grade == Grade::not_needed) continue;
    ++verdict.of;
    verdict.right += part.grade == Grade::right ? 1 : 0;
  }
  return verdict;
}

}  // namespace td::drill
