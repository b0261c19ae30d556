// tracedrills compare: two captures of one job, the same ledger side by side.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "api/api.h"
#include "native/open_source.h"
#include "native/terminal_progress.h"
#include "native/thread_executor.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/trace_paths.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "compare";

struct Options {
  std::string before;
  std::string after;
  std::string fabric;
  bool json = false;
};

Json names_of(const std::string& path) {
  Json names = Json::array();
  for (const std::string& name : trace_paths({path})) names.push(Json::string(name));
  return names;
}

int run(const Options& options) {
  native::ThreadExecutor executor;
  native::TerminalProgress progress;
  api::Io io;
  io.open_source = [](std::string_view name) { return native::open_source(std::string(name)); };
  io.open_sink = [](std::string_view name) -> Result<std::unique_ptr<Sink>> {
    return fail(ErrorCode::unsupported, "comparing writes no files", std::string(name));
  };
  io.executor = &executor;
  io.progress = &progress;
  Json request = Json::object().set("before", names_of(options.before)).set("after", names_of(options.after));
  if (!options.fabric.empty()) request.set("fabric", Json::string(options.fabric));
  if (!options.json)
    request.set(
        "text",
        Json::object().set("colour", Json::boolean(wants_colour())).set("columns", Json::integer(terminal_columns())));
  const Result<api::Reply> reply = api::call("compare", request, io);
  if (!reply) return report_error(kName, reply.error());
  return options.json ? print_json(kName, reply->json) : print_result(kName, reply->blob);
}

}  // namespace

Command compare() {
  return {
      .name = kName,
      .summary = "two captures of one job: what changed, and by how much",
      .examples =
          "Examples:\n"
          "  tracedrills compare before.json.gz after.json.gz\n"
          "  tracedrills compare run1/ run2/                  # folders of one file a rank\n"
          "  tracedrills compare --json before.json after.json > change.json\n"
          "\n"
          "The verdict is better, worse, the same within noise, or not comparable and why. Noise is twice the\n"
          "standard error of the difference of the mean steps; with fewer than three steps, 5 % of the step.\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand.add_option("BEFORE", options->before, "A trace, or a folder with one file a rank")
            ->type_name("")
            ->required();
        subcommand.add_option("AFTER", options->after, "The same job after the change")->type_name("")->required();
        subcommand.add_option("--fabric", options->fabric, "What connects the ranks, as in read")->type_name("TEXT");
        subcommand.add_flag("--json", options->json, "Comparison and both readings as JSON");
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
