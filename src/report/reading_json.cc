#include "report/reading_json.h"

#include <optional>

#include "base/math.h"

namespace td::report {
namespace {

using namespace td::analysis;

Json number(std::optional<int64_t> value) { return value ? Json::integer(*value) : Json(); }

Json frac(double value) { return Json::fraction(round_to_int(value * 1e6)); }
Json frac(std::optional<double> value) { return value ? frac(*value) : Json(); }

// Whole bytes per second: six decimals of a rate would be noise.
Json rate(std::optional<double> value) { return value ? Json::integer(round_to_int(*value)) : Json(); }

template <typename List, typename ToJson>
Json array_of(const List& list, ToJson to_json) {
  Json out = Json::array();
  for (const auto& item : list) out.push(to_json(item));
  return out;
}

Json text(const std::string& value) { return Json::string(value); }

Json rank_json(const RankInfo& rank) {
  return Json::object()
      .set("rank", Json::integer(rank.rank))
      .set("world_size", number(rank.world_size))
      .set("device", Json::string(rank.device))
      .set("clock_offset_ns", Json::integer(rank.clock_offset_ns));
}

Json trust_json(const Trust& trust) {
  return Json::object()
      .set("verdict", Json::string(to_string(trust.verdict)))
      .set("problems", array_of(trust.problems, [](const Problem& problem) {
             return Json::object()
                 .set("id", Json::string(problem.id))
                 .set("text", Json::string(problem.text))
                 .set("count", Json::integer(problem.count));
           }));
}

Json steps_json(const Steps& steps) {
  return Json::object()
      .set("source", Json::string(to_string(steps.source)))
      .set("count", Json::integer(steps.count))
      .set("median_ns", number(steps.median_ns))
      .set("items", array_of(steps.items, [](const StepItem& item) {
             return Json::object()
                 .set("rank", Json::integer(item.rank))
                 .set("name", Json::string(item.name))
                 .set("start_ns", Json::integer(item.start_ns))
                 .set("dur_ns", Json::integer(item.dur_ns))
                 .set("warmup", Json::boolean(item.warmup))
                 .set("partial", Json::boolean(item.partial))
                 .set("outlier", Json::boolean(item.outlier));
           }));
}

Json gap_json(const GapGroup& group) {
  return Json::object()
      .set("owner", Json::string(to_string(group.owner)))
      .set("count", Json::integer(group.count))
      .set("total_ns", Json::integer(group.total_ns))
      .set("rhythm", group.rhythm ? Json::string(to_string(*group.rhythm)) : Json())
      .set("longest", span_json(group.longest));
}

Json step_ledger_json(const StepLedger& row) {
  return Json::object()
      .set("step", Json::integer(row.step))
      .set("step_ns", Json::integer(row.step_ns))
      .set("compute_ns", Json::integer(row.compute_ns))
      .set("exposed_comm_ns", Json::integer(row.exposed_comm_ns))
      .set("exposed_copy_ns", Json::integer(row.exposed_copy_ns))
      .set("idle_ns", Json::integer(row.idle_ns));
}

Json ledger_json(const Ledger& ledger) {
  const bool known = ledger.steps > 0;
  const auto part = [&](TimeNs value) { return known ? Json::integer(value) : Json(); };
  return Json::object()
      .set("rank", Json::integer(ledger.rank))
      .set("steps", Json::integer(ledger.steps))
      .set("step_ns", part(ledger.step_ns))
      .set("compute_ns", part(ledger.compute_ns))
      .set("exposed_comm_ns", part(ledger.exposed_comm_ns))
      .set("exposed_copy_ns", part(ledger.exposed_copy_ns))
      .set("idle_ns", part(ledger.idle_ns))
      .set("comm_wait_ns", number(ledger.comm_wait_ns))
      .set("comm_transfer_ns", number(ledger.comm_transfer_ns))
      .set("gaps", array_of(ledger.gaps, gap_json))
      .set("harmless_syncs",
           known
               ? Json::object()
                     .set("count", Json::integer(ledger.harmless_syncs.count))
                     .set("blocked_ns", Json::integer(ledger.harmless_syncs.blocked_ns))
                     .set("longest", ledger.harmless_syncs.longest ? span_json(*ledger.harmless_syncs.longest) : Json())
               : Json())
      .set("per_step", array_of(ledger.per_step, step_ledger_json));
}

Json whole_json(const Whole& whole) {
  return Json::object()
      .set("span_ns", number(whole.span_ns))
      .set("busy_ns", number(whole.busy_ns))
      .set("compute_ns", number(whole.compute_ns))
      .set("comm_ns", number(whole.comm_ns))
      .set("comm_hidden_ns", number(whole.comm_hidden_ns))
      .set("copy_ns", number(whole.copy_ns))
      .set("idle_ns", number(whole.idle_ns));
}

Json overlap_json(const Overlap& overlap) {
  return Json::object()
      .set("scope", Json::string(overlap.scope))
      .set("comm_ns", number(overlap.comm_ns))
      .set("hidden_ns", number(overlap.hidden_ns))
      .set("exposed_ns", number(overlap.exposed_ns))
      .set("overlap_frac", frac(overlap.overlap_frac))
      .set("by_kind", array_of(overlap.by_kind, [](const OverlapKind& row) {
             return Json::object()
                 .set("kind", Json::string(row.kind))
                 .set("group", Json::string(row.group))
                 .set("calls", Json::integer(row.calls))
                 .set("bytes_per_call", number(row.bytes_per_call))
                 .set("comm_ns", Json::integer(row.comm_ns))
                 .set("exposed_ns", Json::integer(row.exposed_ns))
                 .set("busbw_bytes_per_s", rate(row.busbw_bytes_per_s));
           }));
}

Json kernel_json(const KernelRow& row) {
  return Json::object()
      .set("name", Json::string(row.name))
      .set("count", Json::integer(row.count))
      .set("total_ns", Json::integer(row.total_ns))
      .set("mean_ns", Json::integer(row.mean_ns))
      .set("share_of_compute_frac", frac(row.share_of_compute_frac));
}

Json collectives_json(const Collectives& collectives) {
  const LastArrival& last = collectives.last_arrival;
  return Json::object()
      .set("groups_complete", Json::boolean(collectives.groups_complete))
      .set("wait_ns", number(collectives.wait_ns))
      .set("transfer_ns", number(collectives.transfer_ns))
      .set("last_arrival", Json::object()
                               .set("kind", Json::string(to_string(last.kind)))
                               .set("rank", last.rank ? Json::integer(*last.rank) : Json())
                               .set("share_frac", frac(last.share_frac))
                               .set("lateness_ns", number(last.lateness_ns)));
}

}  // namespace

Json span_json(const Span& span) {
  return Json::object()
      .set("rank", Json::integer(span.rank))
      .set("track", Json::string(span.track))
      .set("track_id", Json::integer(span.track_id))
      .set("start_ns", Json::integer(span.start_ns))
      .set("dur_ns", Json::integer(span.dur_ns))
      .set("name", Json::string(span.name))
      .set("correlation", span.correlation != 0 ? Json::integer(span.correlation) : Json())
      .set("file_ts_ns", Json::integer(span.file_ts_ns))
      .set("during", span.during.empty() ? Json() : Json::string(span.during));
}

Json finding_json(const Finding& finding) {
  Json what_if;
  if (finding.what_if)
    what_if = Json::object()
                  .set("per", Json::string(finding.what_if->per))
                  .set("step_ns", Json::integer(finding.what_if->step_ns))
                  .set("win_frac", frac(finding.what_if->win_frac))
                  .set("method", Json::string(finding.what_if->method));
  return Json::object()
      .set("cause", Json::string(finding.cause))
      .set("confidence", frac(finding.confidence))
      .set("cost_ns_per_step", number(finding.cost_ns_per_step))
      .set("evidence", array_of(finding.evidence,
                                [](const Evidence& evidence) {
                                  return Json::object()
                                      .set("text", Json::string(evidence.text))
                                      .set("spans", array_of(evidence.spans, span_json));
                                }))
      .set("ruled_out",
           array_of(finding.ruled_out,
                    [](const RuledOut& out) {
                      return Json::object().set("cause", Json::string(out.cause)).set("why", Json::string(out.why));
                    }))
      .set("confirm", Json::string(finding.confirm))
      .set("fix", Json::string(finding.fix))
      .set("what_if", std::move(what_if));
}

Json reading_json(const Reading& reading) {
  Json out = Json::object()
                 .set("schema_version", Json::integer(kReadingSchemaVersion))
                 .set("files", array_of(reading.files, text))
                 .set("ranks", array_of(reading.ranks, rank_json))
                 .set("trust", trust_json(reading.trust))
                 .set("steps", steps_json(reading.steps))
                 .set("ledgers", array_of(reading.ledgers, ledger_json))
                 .set("whole", whole_json(reading.whole))
                 .set("overlap", overlap_json(reading.overlap))
                 .set("kernels", array_of(reading.kernels, kernel_json))
                 .set("collectives", collectives_json(reading.collectives))
                 .set("findings", array_of(reading.findings, finding_json));
  out.set("unread_files", array_of(reading.unread_files, [](const UnreadFile& file) {
            return Json::object().set("file", Json::string(file.file)).set("error", Json::string(file.error));
          }));
  return out;
}

}  // namespace td::report
