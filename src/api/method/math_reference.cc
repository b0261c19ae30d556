#include "api/method.h"
#include "report/problem_json.h"

namespace td::api::method {
namespace {

Result<Reply> handle(const Json&, Io&) { return Reply{.json = report::math_reference_json(), .blob = {}}; }

}  // namespace

Method math_reference() {
  return {.name = "math_reference",
          .summary = "Formulas and spec tables with their sources",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
