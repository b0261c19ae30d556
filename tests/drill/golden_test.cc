// A golden answer per scenario: prompt, facts and truth of one seed, as JSON. `UPDATE=1` renews; read the difference
// before committing, and raise the deck's version if drills that are out there change.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "drill/drill.h"
#include "report/drill_json.h"

namespace td {
namespace {

constexpr uint32_t kSeed = 7;

std::string file_of(std::string_view scenario) {
  return std::string(TD_SOURCE_DIR) + "/tests/golden/drill/" + std::string(scenario) + ".json";
}

std::string answer_of(const drill::Scenario& scenario) {
  const auto generated = drill::generate(scenario, kSeed);
  if (!generated) {
    ADD_FAILURE() << generated.error().text();
    return "";
  }
  Json json = Json::object();
  json.set("seen", report::drill_file_json(generated->exercise, kSeed))
      .set("truth", report::truth_json(generated->truth));
  return json.dump(2) + "\n";
}

TEST(GoldenDrill, EveryScenarioHasItsAnswer) {
  for (const drill::Scenario& scenario : drill::all_scenarios()) {
    const std::string answer = answer_of(scenario);
    if (std::getenv("UPDATE") != nullptr) std::ofstream(file_of(scenario.id), std::ios::binary) << answer;
    std::ifstream in(file_of(scenario.id), std::ios::binary);
    std::stringstream golden;
    golden << in.rdbuf();
    EXPECT_EQ(answer, golden.str()) << scenario.id << ": UPDATE=1 renews " << file_of(scenario.id);
  }
}

}  // namespace
}  // namespace td
