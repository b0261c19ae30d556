#include "api/method.h"
#include "report/problem_json.h"

namespace td::api::method {
namespace {

Result<Reply> handle(const Json&, Io&) { return Reply{.json = report::math_catalog_json(), .blob = {}}; }

}  // namespace

Method math_catalog() {
  return {.name = "math_catalog",
          .summary = "Categories of the mental-math trainer, its clocks and tolerances",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
