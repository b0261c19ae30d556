// Answers to many drills against their truths: how good is a diagnoser, and does it know when it is?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace td::drill {

struct BenchmarkItem {
  std::string drill;                 // its folder's name
  std::string truth;                 // cause id
  std::string answer;                // cause id; empty if it was not answered
  std::optional<double> confidence;  // 0..1
};

// A diagnoser's answers: {"NAME": "CAUSE"} or {"NAME": {"cause": "CAUSE", "confidence": 0.9}}; the confidence may be
// absent. malformed or invalid_argument names the drill.
struct BenchmarkAnswer {
  std::string drill;
  std::string cause;
  std::optional<double> confidence;
};
Result<std::vector<BenchmarkAnswer>> benchmark_answers(const Json& json);

struct CauseScore {
  std::string cause;
  int64_t drills = 0;
  int64_t right = 0;
  int64_t unanswered = 0;
};
struct Confusion {
  std::string truth;
  std::string answer;  // "" for no answer
  int64_t count = 0;
};
// Answers whose confidence lies in [from, to).
struct CalibrationBin {
  double from = 0;
  double to = 0;
  int64_t count = 0;
  double mean_confidence = 0;
  double right_frac = 0;
};

struct Benchmark {
  int64_t drills = 0;
  int64_t right = 0;
  int64_t answered = 0;
  std::vector<CauseScore> causes;     // by id
  std::vector<Confusion> confusions;  // wrong ones, the most frequent first
  std::vector<CalibrationBin> bins;   // those with answers
  std::optional<double> brier;        // mean of (confidence - right)^2, over answers with a confidence
  std::optional<double>
      expected_calibration_error;  // mean over answers of |mean confidence - share right| of their bin
};

Benchmark benchmark(const std::vector<BenchmarkItem>& items);

}  // namespace td::drill
