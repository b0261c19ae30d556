#include "drill/scenario.h"

namespace td::drill {

const Scenario* find_scenario(std::string_view id) {
  for (const Scenario& scenario : all_scenarios()) {
    if (scenario.id == id) return &scenario;
  }
  return nullptr;
}

}  // namespace td::drill
