// tests/golden/chrome_json: each file beside what reading it gives. TD_UPDATE_GOLDEN=1 or --update renews the expected
// texts; read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/chrome_json/contract.h"

namespace td::tests {
namespace {

const std::string kFolder = std::string(TD_SOURCE_DIR) + "/tests/golden/chrome_json";

class ChromeJsonGolden : public testing::TestWithParam<std::string> {};

bool update() {
  const char* value = std::getenv("TD_UPDATE_GOLDEN");
  if (value != nullptr && std::string_view(value) == "1") return true;
  for (const std::string& argument : testing::internal::GetArgvs())
    if (argument == "--update") return true;
  return false;
}

TEST_P(ChromeJsonGolden, ReadsAsExpectedAndKeepsTheContract) {
  const std::string expected_path = GetParam() + ".expected";
  const std::string actual = text_of(read_file(GetParam(), "x.json", SIZE_MAX));
  if (update()) std::ofstream(expected_path, std::ios::binary) << actual;
  ASSERT_TRUE(std::filesystem::exists(expected_path)) << "renew with TD_UPDATE_GOLDEN=1";
  EXPECT_EQ(actual, read_bytes(expected_path));
  hold_to_contract(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, ChromeJsonGolden, testing::ValuesIn(fixtures(kFolder, {".json", ".json.gz"})),
                         test_name);

TEST(ChromeJsonGoldenFolder, EveryExpectedTextHasItsFile) {
  for (const std::string& path : fixtures(kFolder, {".expected"}))
    EXPECT_TRUE(std::filesystem::exists(path.substr(0, path.size() - std::string_view(".expected").size()))) << path;
}

}  // namespace
}  // namespace td::tests
