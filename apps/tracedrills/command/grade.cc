// tracedrills grade: a folder of generated drills as a benchmark for any diagnoser.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "api/api.h"
#include "native/open_source.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/trace_paths.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "grade";
namespace fs = std::filesystem;

struct Options {
  std::string folder;
  std::string answers;
  bool json = false;
};

// DIR/NAME/truth.json, by name.
std::vector<std::string> truths_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path truth = entry.path() / "truth.json";
    if (entry.is_directory(error) && fs::is_regular_file(truth, error)) out.push_back(truth.string());
  }
  std::ranges::sort(out);
  return out;
}

int run(const Options& options) {
  const std::vector<std::string> truths = truths_in(options.folder);
  if (truths.empty())
    return report_error(kName,
                        {.code = ErrorCode::not_found,
                         .message = "holds no drill, expected folders that generate wrote, each with a truth.json",
                         .where = options.folder});
  SerialExecutor executor;
  NoProgress progress;
  api::Io io;
  io.open_source = [](std::string_view name) { return native::open_source(std::string(name)); };
  io.executor = &executor;
  io.progress = &progress;
  Json names = Json::array();
  for (const std::string& truth : truths) names.push(Json::string(truth));
  Json request = Json::object().set("truths", std::move(names)).set("answers", Json::string(options.answers));
  if (!options.json)
    request.set(
        "text",
        Json::object().set("colour", Json::boolean(wants_colour())).set("columns", Json::integer(terminal_columns())));
  const Result<api::Reply> reply = api::call("grade", request, io);
  if (!reply) return report_error(kName, reply.error());
  const auto& unknown = reply->json["unknown_drills"].items();
  if (!unknown.empty())
    report_warning(kName, std::to_string(unknown.size()) + " answers are for drills that are not there, the first: " +
                              std::string(unknown.front().as_string()));
  return options.json ? print_json(kName, reply->json) : print_result(kName, reply->blob);
}

}  // namespace

Command grade() {
  return {
      .name = kName,
      .summary = "score a diagnoser's answers to a folder of generated drills",
      .examples =
          "Examples:\n"
          "  for n in $(seq 1 50); do tracedrills generate --seed $n --out drills/$n; done\n"
          "  tracedrills grade drills answers.json\n"
          "  tracedrills grade --json drills answers.json > score.json\n"
          "\n"
          "ANSWERS is {\"1\": \"straggler\", \"2\": {\"cause\": \"healthy\", \"confidence\": 0.9}, ...}: the folder's "
          "name,\n"
          "and the cause's id as in truth.json. Prints accuracy per cause, confusions and calibration.\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand.add_option("DIR", options->folder, "Folder of drills, one folder each")->type_name("")->required();
        subcommand.add_option("ANSWERS", options->answers, "The answers, as JSON")->type_name("")->required();
        subcommand.add_flag("--json", options->json, "The score as JSON");
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
