#include "report/compare_report.h"

#include <algorithm>
#include <optional>

#include "analysis/text.h"
#include "catalog/catalog.h"
#include "report/reading_page.h"

namespace td::report {
namespace {

using namespace td::analysis;

constexpr size_t kIndent = 18;
// Parts that changed by less than this share of the step are not worth a line.
constexpr double kShownFrac = 0.002;

Json names_json(const std::vector<std::string>& names) {
  Json out = Json::array();
  for (const std::string& name : names) out.push(Json::string(name));
  return out;
}

Json number(std::optional<TimeNs> value) { return value ? Json::integer(*value) : Json(); }

std::string titles(const std::vector<std::string>& causes) {
  std::string out;
  for (const std::string& cause : causes) {
    const catalog::Cause* entry = catalog::find_cause(cause);
    out += (out.empty() ? "" : ", ") + (entry != nullptr ? std::string(entry->title) : cause);
  }
  return out;
}

std::string signed_text(TimeNs ns) { return (ns > 0 ? "+" : "") + duration_text(ns); }

std::string_view verdict_text(Change change) {
  switch (change) {
    case Change::better:
      return "better";
    case Change::worse:
      return "worse";
    case Change::same:
      return "the same within noise";
    case Change::not_comparable:
      return "not comparable";
  }
  return "";
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  Json parts = Json::array();
  for (const ComparedPart& part : comparison.parts)
    parts.push(Json::object()
                   .set("name", Json::string(part.name))
                   .set("before_ns", Json::integer(part.before_ns))
                   .set("after_ns", Json::integer(part.after_ns)));
  return Json::object()
      .set("verdict", Json::string(to_string(comparison.change)))
      .set("reasons", names_json(comparison.reasons))
      .set("before_step_ns", number(comparison.before_ns))
      .set("after_step_ns", number(comparison.after_ns))
      .set("noise_ns", number(comparison.noise_ns))
      .set("parts", std::move(parts))
      .set("gone", names_json(comparison.gone))
      .set("come", names_json(comparison.come))
      .set("stayed", names_json(comparison.stayed));
}

std::string comparison_text(const Comparison& comparison, const TextStyle& style) {
  TextPage page(style.colour, static_cast<size_t>(std::clamp(style.columns, 60, 100)));
  const Ink ink = comparison.change == Change::better  ? Ink::good
                  : comparison.change == Change::worse ? Ink::bad
                                                       : Ink::warning;
  std::string summary = page.in(ink, verdict_text(comparison.change));
  const TimeNs before_ns = comparison.before_ns.value_or(0);
  const TimeNs after_ns = comparison.after_ns.value_or(0);
  if (comparison.before_ns)
    summary += ": a step took " + duration_text(before_ns) + " and takes " + duration_text(after_ns) + " (" +
               signed_text(after_ns - before_ns) + ", " + percent_text(fraction(after_ns - before_ns, before_ns)) + ")";
  page.section(0, "Verdict", summary);
  if (comparison.noise_ns)
    page.wrap(kIndent, "",
              "Changes up to " + duration_text(*comparison.noise_ns) + " a step are noise of these traces.");
  for (const std::string& reason : comparison.reasons) page.wrap(kIndent, "", reason);
  if (comparison.parts.empty()) return page.take();
  page.section(1, "Ledger", "mean step over the ranks, the largest change first");
  TextTable table({{""}, {"before", true}, {"after", true}, {"change", true}, {"of the step", true}});
  TimeNs rest_before_ns = 0;
  TimeNs rest_after_ns = 0;
  for (const ComparedPart& part : comparison.parts) {
    const TimeNs change_ns = part.after_ns - part.before_ns;
    const double share = fraction(change_ns, before_ns);
    if (share < kShownFrac && share > -kShownFrac && part.name.starts_with("idle:")) {
      rest_before_ns += part.before_ns;
      rest_after_ns += part.after_ns;
      continue;
    }
    std::string name = part.name;
    std::ranges::replace(name, '_', ' ');
    table.row({name, duration_text(part.before_ns), duration_text(part.after_ns), signed_text(change_ns),
               percent_text(share)});
  }
  if (rest_before_ns != 0 || rest_after_ns != 0)
    table.row({"idle: others", duration_text(rest_before_ns), duration_text(rest_after_ns),
               signed_text(rest_after_ns - rest_before_ns),
               percent_text(fraction(rest_after_ns - rest_before_ns, before_ns))});
  table.print(page, kIndent);
  page.section(2, "Findings",
               comparison.gone.empty() && comparison.come.empty() ? "none came or went" : "what came and went");
  if (!comparison.gone.empty()) page.wrap(kIndent, "   gone", titles(comparison.gone));
  if (!comparison.come.empty()) page.wrap(kIndent, "   come", titles(comparison.come));
  if (!comparison.stayed.empty()) page.wrap(kIndent, "   stayed", titles(comparison.stayed));
  return page.take();
}

}  // namespace td::report
