#include "drill/history.h"

#include <algorithm>

#include "catalog/catalog.h"

namespace td::drill {
namespace {

std::optional<size_t> index_of(std::span<const std::string> ids, std::string_view id) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == id) return i;
  }
  return std::nullopt;
}

// The lower of the two middle ones for an even count: a time that was really taken.
std::optional<int64_t> median(std::vector<int64_t> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool is_right(const Attempt& attempt) { return attempt.grades.front() == Grade::right; }

std::optional<int64_t> median_time(std::span<const Attempt> attempts, std::string_view cause) {
  std::vector<int64_t> times;
  for (const Attempt& attempt : attempts) {
    const bool asked = cause.empty() || attempt.cause == cause;
    if (asked && attempt.counts && attempt.timed) times.push_back(attempt.elapsed_ms);
  }
  return median(std::move(times));
}

void add_parts(const Attempt& attempt, std::vector<PartView>& parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (attempt.grades[i] == Grade::not_needed) continue;
    ++parts[i].asked;
    if (attempt.grades[i] == Grade::right) ++parts[i].right;
    if (attempt.grades[i] == Grade::close) ++parts[i].close;
  }
}

void add_confidence(const Attempt& attempt, std::vector<ConfidenceView>& views) {
  if (!attempt.confidence_percent) return;
  const int32_t percent = *attempt.confidence_percent;
  auto at = std::lower_bound(views.begin(), views.end(), percent,
                             [](const ConfidenceView& view, int32_t value) { return view.confidence_percent < value; });
  if (at == views.end() || at->confidence_percent != percent) {
    at = views.insert(at, {.confidence_percent = percent, .attempts = 0, .right = 0});
  }
  ++at->attempts;
  if (is_right(attempt)) ++at->right;
}

void add_cause(const Attempt& attempt, History& history, std::span<const std::string> rows) {
  const std::optional<size_t> row = index_of(rows, attempt.cause);
  const std::optional<size_t> column = index_of(history.diagnoses, attempt.diagnosis);
  if (!row || !column) return;
  CauseView& view = history.causes[*row];
  ++view.attempts;
  if (is_right(attempt)) ++view.right;
  if (attempt.in_time) ++view.in_time;
  ++history.matrix[*row][*column];
}

}  // namespace

bool is_known(const Attempt& attempt) {
  const auto is_core = [](std::string_view id) {
    const catalog::Cause* cause = catalog::find_cause(id);
    return cause != nullptr && cause->core;
  };
  return is_core(attempt.cause) && is_core(attempt.diagnosis);
}

std::optional<Grade> parse_grade(std::string_view text) {
  for (const Grade grade : {Grade::right, Grade::close, Grade::wrong, Grade::missing, Grade::not_needed}) {
    if (to_string(grade) == text) return grade;
  }
  return std::nullopt;
}

History view_history(std::span<const Attempt> attempts) {
  History history;
  std::vector<std::string> rows;
  for (const catalog::Cause* cause : catalog::core_causes()) {
    history.diagnoses.emplace_back(cause->id);
    rows.emplace_back(cause->id);
    history.causes.push_back({.cause = std::string(cause->id), .median_ms = median_time(attempts, cause->id)});
  }
  history.matrix.assign(rows.size(), std::vector<int32_t>(history.diagnoses.size(), 0));
  for (const std::string_view part : kPartIds) history.parts.push_back({.part = part});
  history.median_ms = median_time(attempts, {});
  for (const Attempt& attempt : attempts) {
    if (!attempt.counts) {
      ++history.retries;
      continue;
    }
    ++history.attempts;
    if (is_right(attempt)) ++history.right;
    if (attempt.in_time) ++history.in_time;
    add_cause(attempt, history, rows);
    add_parts(attempt, history.parts);
    add_confidence(attempt, history.confidences);
  }
  return history;
}

}  // namespace td::drill
