#include "report/benchmark_report.h"

#include <algorithm>

#include "analysis/text.h"
#include "base/math.h"
#include "report/reading_page.h"

namespace td::report {
namespace {

using analysis::decimal_text;
using analysis::percent_text;

constexpr size_t kIndent = 3;
constexpr size_t kMaxConfusions = 20;

Json frac(double value) { return Json::fraction(round_to_int(value * 1e6)); }
Json frac(std::optional<double> value) { return value ? frac(*value) : Json(); }

}  // namespace

Json benchmark_json(const drill::Benchmark& benchmark) {
  Json causes = Json::array();
  for (const drill::CauseScore& score : benchmark.causes)
    causes.push(Json::object()
                    .set("cause", Json::string(score.cause))
                    .set("drills", Json::integer(score.drills))
                    .set("right", Json::integer(score.right))
                    .set("unanswered", Json::integer(score.unanswered)));
  Json confusions = Json::array();
  for (const drill::Confusion& confusion : benchmark.confusions)
    confusions.push(Json::object()
                        .set("truth", Json::string(confusion.truth))
                        .set("answer", confusion.answer.empty() ? Json() : Json::string(confusion.answer))
                        .set("count", Json::integer(confusion.count)));
  Json bins = Json::array();
  for (const drill::CalibrationBin& bin : benchmark.bins)
    bins.push(Json::object()
                  .set("from", frac(bin.from))
                  .set("to", frac(bin.to))
                  .set("count", Json::integer(bin.count))
                  .set("mean_confidence", frac(bin.mean_confidence))
                  .set("right_frac", frac(bin.right_frac)));
  return Json::object()
      .set("drills", Json::integer(benchmark.drills))
      .set("answered", Json::integer(benchmark.answered))
      .set("right", Json::integer(benchmark.right))
      .set("causes", std::move(causes))
      .set("confusions", std::move(confusions))
      .set("calibration", Json::object()
                              .set("bins", std::move(bins))
                              .set("brier", frac(benchmark.brier))
                              .set("expected_error", frac(benchmark.expected_calibration_error)));
}

std::string benchmark_text(const drill::Benchmark& benchmark, const TextStyle& style) {
  TextPage page(style.colour, static_cast<size_t>(std::clamp(style.columns, 60, 100)));
  page.section(0, "Accuracy",
               page.in(Ink::strong, percent_text(benchmark.right, benchmark.drills)) + ": " +
                   std::to_string(benchmark.right) + " of " + std::to_string(benchmark.drills) + " drills, " +
                   std::to_string(benchmark.answered) + " answered");
  TextTable causes({{"cause"}, {"right", true}, {"of", true}, {"", true}, {"unanswered", true}});
  for (const drill::CauseScore& score : benchmark.causes)
    causes.row({score.cause, std::to_string(score.right), std::to_string(score.drills),
                percent_text(score.right, score.drills), std::to_string(score.unanswered)});
  causes.print(page, kIndent);
  page.section(1, "Confusions", benchmark.confusions.empty() ? "none" : "truth, and what was answered");
  TextTable confusions({{"truth"}, {"answer"}, {"times", true}});
  for (size_t i = 0; i < std::min(kMaxConfusions, benchmark.confusions.size()); ++i)
    confusions.row({benchmark.confusions[i].truth,
                    benchmark.confusions[i].answer.empty() ? "-" : benchmark.confusions[i].answer,
                    std::to_string(benchmark.confusions[i].count)});
  confusions.print(page, kIndent);
  if (benchmark.brier)
    page.section(2, "Calibration",
                 "Brier score " + decimal_text(*benchmark.brier, 3) + ", off by " +
                     percent_text(benchmark.expected_calibration_error.value_or(0)) + " on average");
  else
    page.section(2, "Calibration", "no answer says how sure it is");
  TextTable bins({{"confidence"}, {"answers", true}, {"mean", true}, {"right", true}});
  for (const drill::CalibrationBin& bin : benchmark.bins)
    bins.row({decimal_text(bin.from, 2) + " to " + decimal_text(bin.to, 2), std::to_string(bin.count),
              decimal_text(bin.mean_confidence, 2), percent_text(bin.right_frac)});
  bins.print(page, kIndent);
  return page.take();
}

}  // namespace td::report
