#include "api/method.h"
#include "report/drill_json.h"

namespace td::api::method {
namespace {

Result<Reply> handle(const Json&, Io&) { return Reply{.json = report::catalog_json(), .blob = {}}; }

}  // namespace

Method catalog() {
  return {.name = "catalog",
          .summary = "Decks, diagnoses, measurements, fixes and the reading order",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
