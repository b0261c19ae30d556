#include <string>

#include "api/method.h"
#include "api/request.h"
#include "drill/drill.h"

namespace td::api::method {
namespace {

Result<const drill::PaidMeasurement*> required_measurement(const Json& request) {
  const std::string_view id = TRY(required_string(request, "measurement"));
  const drill::PaidMeasurement* found = drill::find_paid_measurement(id);
  if (found != nullptr) return found;
  std::string ids;
  for (const drill::PaidMeasurement& one : drill::all_paid_measurements()) {
    ids += (ids.empty() ? "" : ", ") + std::string(one.id);
  }
  return fail(ErrorCode::invalid_argument,
              "no such measurement: " + quote_short(id) + ", expected one of " + ids + "; the trace holds the rest",
              "measurement");
}

// Prints what the tool would print on this job; says nothing of the cause.
Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const drill::PaidMeasurement* measurement = TRY(required_measurement(request));
  const drill::MeasurementPrint print = TRY(drill::measure_drill(name, *measurement));
  Json lines = Json::array();
  for (const std::string& line : print.lines) lines.push(Json::string(line));
  Json json = Json::object();
  json.set("measurement", Json::string(measurement->id))
      .set("price_s", Json::integer(measurement->price_s))
      .set("command", Json::string(print.command))
      .set("prints", std::move(lines));
  return Reply{.json = std::move(json), .blob = {}};
}

Result<std::string> cache_key(const Json& request) {
  const drill::DrillName name = TRY(required_drill(request));
  const drill::PaidMeasurement* measurement = TRY(required_measurement(request));
  return drill::to_string(name) + " " + std::string(measurement->id);
}

}  // namespace

Method measure() {
  return {.name = "measure",
          .summary = "A measurement that the trace does not hold, made on a drill's job",
          .for_pages = true,
          .simulates = true,
          .handle = handle,
          .cache_key = cache_key};
}

}  // namespace td::api::method
