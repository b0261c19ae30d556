#include "drill/benchmark.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace td::drill {
namespace {

constexpr std::array<double, 7> kEdges = {0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.000001};

Result<std::optional<double>> confidence_of(const Json& json, const std::string& drill) {
  if (json.is_null()) return std::optional<double>{};
  const bool numeric = json.kind() == Json::Kind::integer || json.kind() == Json::Kind::fraction;
  const int64_t millionths = json.as_millionths(-1);
  if (!numeric || millionths < 0 || millionths > 1'000'000)
    return fail(ErrorCode::invalid_argument, "\"confidence\" must be a number from 0 to 1", drill);
  return std::optional(static_cast<double>(millionths) / 1e6);
}

double part(int64_t count, int64_t whole) {
  return whole > 0 ? static_cast<double>(count) / static_cast<double>(whole) : 0.0;
}

void calibrate(const std::vector<BenchmarkItem>& items, Benchmark& out) {
  int64_t known = 0;
  double squares = 0;
  double off = 0;
  for (size_t bin = 0; bin + 1 < kEdges.size(); ++bin) {
    CalibrationBin row{kEdges[bin], std::min(1.0, kEdges[bin + 1]), 0, 0, 0};
    int64_t right = 0;
    for (const BenchmarkItem& item : items) {
      if (!item.confidence || item.answer.empty()) continue;
      const double confidence = *item.confidence;
      if (confidence < kEdges[bin] || confidence >= kEdges[bin + 1]) continue;
      const bool is_right = item.answer == item.truth;
      ++row.count;
      right += is_right ? 1 : 0;
      row.mean_confidence += confidence;
      squares += (confidence - (is_right ? 1 : 0)) * (confidence - (is_right ? 1 : 0));
    }
    if (row.count == 0) continue;
    known += row.count;
    row.mean_confidence /= static_cast<double>(row.count);
    row.right_frac = part(right, row.count);
    const double gap = row.mean_confidence - row.right_frac;
    off += (gap < 0 ? -gap : gap) * static_cast<double>(row.count);
    out.bins.push_back(row);
  }
  if (known == 0) return;
  out.brier = squares / static_cast<double>(known);
  out.expected_calibration_error = off / static_cast<double>(known);
}

}  // namespace

Result<std::vector<BenchmarkAnswer>> benchmark_answers(const Json& json) {
  if (json.kind() != Json::Kind::object)
    return fail(ErrorCode::malformed,
                R"(expected an object: {"DRILL": "CAUSE"} or {"DRILL": {"cause": "CAUSE", "confidence": 0.9}})");
  std::vector<BenchmarkAnswer> out;
  for (const Json::Member& member : json.members()) {
    BenchmarkAnswer answer;
    answer.drill = member.first;
    const bool object = member.second.kind() == Json::Kind::object;
    const Json& cause = object ? member.second["cause"] : member.second;
    if (cause.kind() != Json::Kind::string && !cause.is_null())
      return fail(ErrorCode::invalid_argument, "the answer must be a cause's id, or an object with \"cause\"",
                  member.first);
    answer.cause = std::string(cause.as_string());
    if (object) answer.confidence = TRY(confidence_of(member.second["confidence"], member.first));
    out.push_back(std::move(answer));
  }
  return out;
}

Benchmark benchmark(const std::vector<BenchmarkItem>& items) {
  Benchmark out;
  std::map<std::string, CauseScore> causes;
  std::map<std::pair<std::string, std::string>, int64_t> wrong;
  for (const BenchmarkItem& item : items) {
    CauseScore& score = causes[item.truth];
    score.cause = item.truth;
    ++score.drills;
    ++out.drills;
    out.answered += item.answer.empty() ? 0 : 1;
    score.unanswered += item.answer.empty() ? 1 : 0;
    if (item.answer == item.truth) {
      ++score.right;
      ++out.right;
    } else {
      ++wrong[{item.truth, item.answer}];
    }
  }
  for (auto& [cause, score] : causes) out.causes.push_back(std::move(score));
  for (const auto& [key, count] : wrong) out.confusions.push_back({key.first, key.second, count});
  std::ranges::stable_sort(out.confusions, [](const Confusion& a, const Confusion& b) { return a.count > b.count; });
  calibrate(items, out);
  return out;
}

}  // namespace td::drill
