#include "arithmetic/grade.h"

#include <array>

namespace td::arithmetic {
namespace {

// Typed answers have two digits: near enough to a slip's own number to name it.
constexpr double kSlipFrac = 0.05;
// An answer printed with three digits and doubled is still within the factor.
constexpr double kRounding = 1.002;

bool near(double a, double b, double frac) { return b > 0 && a >= b * (1 - frac) && a <= b * (1 + frac); }

bool has_bytes(const Problem& problem) {
  if (problem.unit.dimension.of(Base::byte) != 0) return true;
  for (const Input& input : problem.inputs) {
    if (input.value.dimension.of(Base::byte) != 0) return true;
  }
  return false;
}

struct Found {
  std::string name;
  std::string reason;
};

// Of the slips that the category names: all that give this number.
Found own_slip(const Problem& problem, double given) {
  Found found;
  for (const Slip& slip : problem.slips) {
    if (!near(given, slip.value, kSlipFrac) || near(slip.value, problem.answer.value, kRightFrac)) continue;
    if (found.name.find(slip.name) != std::string::npos) continue;
    found.name.append(found.name.empty() ? "" : " or ").append(slip.name);
    found.reason.append(found.reason.empty() ? "" : " Or: ").append(slip.reason);
  }
  return found;
}

struct Factor {
  double ratio = 1;
  bool of_bytes = false;
  std::string_view name;
  std::string_view reason;
};

constexpr std::string_view kPrefixReason = "The digits are right; a prefix (k, M, G, T) is off.";
constexpr std::string_view kBinaryReason =
    "Ki, Mi and Gi are powers of 1024; k, M and G powers of 1000; one of them is off.";
constexpr std::array kFactors = {
    Factor{8, true, "you counted bits", "A byte is 8 bits; the numbers here are bytes."},
    Factor{1e3, false, "1000x: a prefix", kPrefixReason},
    Factor{1024, false, "1024x: a prefix", kBinaryReason},
    Factor{1e6, false, "10^6x: two prefixes", kPrefixReason},
    Factor{1048576, false, "1024^2x: two prefixes", kBinaryReason},
    Factor{1e9, false, "10^9x: three prefixes", kPrefixReason},
    Factor{100, false, "100x: percent", "A share of 0.4 is 40 %."},
    Factor{10, false, "10x: a decimal point", "The digits are right; the point is one place off."},
    Factor{2, false, "a factor of 2",
           "Look for what is counted twice or once too little: a direction of a link, a multiply-add, keys and values, "
           "a byte or two."},
};

// Mistakes that anybody makes anywhere.
Found general_slip(const Problem& problem, double given) {
  const double truth = problem.answer.value;
  const Factor* best = nullptr;
  double best_error = 0.012;  // tells 1000 from 1024
  for (const Factor& factor : kFactors) {
    if (factor.of_bytes && !has_bytes(problem)) continue;
    if (factor.ratio == 100 && problem.unit.symbol != "%") continue;
    for (const double expected : {truth * factor.ratio, truth / factor.ratio}) {
      const double ratio = given > expected ? given / expected : expected / given;
      const double tolerance = factor.ratio == 1e3 || factor.ratio == 1024 ? best_error : kSlipFrac;
      if (ratio - 1 > tolerance) continue;
      if (best != nullptr && ratio - 1 >= best_error) continue;
      best = &factor;
      best_error = ratio - 1;
    }
  }
  // Two digits typed: too coarse to tell which, still plainly a prefix.
  if (best == nullptr && (near(given, truth * 1010, kSlipFrac) || near(given, truth / 1010, kSlipFrac))) {
    return {"1000x: a prefix", std::string(kPrefixReason)};
  }
  if (best == nullptr) return {};
  return {std::string(best->name), std::string(best->reason)};
}

std::string times(double ratio) { return digits(ratio >= 1 ? ratio : 1 / ratio, 2); }

Judgement grade_number(const Problem& problem, double given) {
  const double truth = problem.answer.value;
  const std::string is = "It is " + answer_text(problem) + ".";
  const double off = given > truth ? given / truth - 1 : 1 - given / truth;
  if (near(given, truth, kRightFrac + 1e-9)) {
    return {Grade::right, off < 0.005 ? is : is + " You are " + digits(off * 100, 1) + " % off.", {}};
  }
  Judgement out;
  const bool is_close = given * kCloseFactor * kRounding >= truth && given <= truth * kCloseFactor * kRounding;
  out.grade = is_close ? Grade::close : Grade::wrong;
  Found slip = own_slip(problem, given);
  if (slip.name.empty()) slip = general_slip(problem, given);
  out.slip = slip.name;
  if (given <= 0) {
    out.why = is;
  } else {
    out.why = is + " Yours is " + times(given / truth) + " times too " + (given > truth ? "large" : "small") + ".";
  }
  if (!slip.reason.empty()) {
    out.why += " " + slip.reason;
  } else if (is_close) {
    out.why += " The reflex is there, the arithmetic slipped.";
  }
  return out;
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
  }
  return "wrong";
}

std::string answer_text(const Problem& problem) {
  return problem.asks_verdict() ? problem.verdict : text_of(problem.answer, problem.unit);
}

Judgement grade(const Problem& problem, const Answer& answer) {
  if (!problem.asks_verdict()) return grade_number(problem, answer.quantity.value);
  if (answer.verdict == problem.verdict) return {Grade::right, "It is " + problem.verdict + ".", {}};
  const std::string last = problem.steps.empty() ? "" : " " + problem.steps.back().sum + ".";
  return {Grade::wrong, "It is " + problem.verdict + ":" + last, {}};
}

}  // namespace td::arithmetic
