#include <algorithm>

#include "api/math.h"
#include "api/method.h"
#include "base/math.h"
#include "report/problem_json.h"

namespace td::api::method {
namespace {

// All attempts together, and each category that has any with its expected score, weakest first.
Result<Reply> handle(const Json& request, Io&) {
  const std::vector<arithmetic::Attempt> attempts = TRY(required_attempts(request));
  struct Row {
    const arithmetic::Category* category = nullptr;
    double score = 0;
    std::vector<arithmetic::Attempt> attempts;
  };
  std::vector<Row> rows;
  for (const arithmetic::Category& category : arithmetic::all_categories()) {
    Row row{&category, arithmetic::expected_score(category.id, attempts), {}};
    for (const arithmetic::Attempt& attempt : attempts) {
      if (attempt.category == category.id) row.attempts.push_back(attempt);
    }
    if (!row.attempts.empty()) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const Row& a, const Row& b) { return a.score < b.score; });
  Json categories = Json::array();
  for (const Row& row : rows) {
    Json json = report::tally_json(arithmetic::tally(row.attempts));
    json.set("category", Json::string(row.category->id))
        .set("title", Json::string(row.category->title))
        .set("expected_score", Json::fraction(round_to_int(row.score * 1e6)));
    categories.push(std::move(json));
  }
  Reply reply;
  reply.json.set("all", report::tally_json(arithmetic::tally(attempts))).set("categories", std::move(categories));
  return reply;
}

}  // namespace

Method math_summary() {
  return {.name = "math_summary",
          .summary = "Accuracy and pace over attempts that the caller kept",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
