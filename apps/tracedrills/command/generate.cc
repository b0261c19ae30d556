// tracedrills generate: a scenario as trace files, what the learner sees, and the truth beside them.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "api/api.h"
#include "native/file.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "generate";
namespace fs = std::filesystem;

struct Options {
  std::string scenario;
  std::string seed;
  std::string level;
  std::string out;
  bool force = false;
  bool picture = false;
  bool json = false;
};

// Creates the directory. One that holds files already is left alone unless --force was given.
Status prepare(const Options& options) {
  std::error_code error;
  if (fs::exists(options.out, error) && !fs::is_directory(options.out, error)) {
    return fail(ErrorCode::io, "exists and is no directory", options.out);
  }
  if (!options.force && fs::is_directory(options.out, error) && !fs::is_empty(options.out, error)) {
    return fail(ErrorCode::io, "holds files already, expected a new or empty directory; --force writes into it",
                options.out);
  }
  fs::create_directories(options.out, error);
  if (error) return fail(ErrorCode::io, "cannot create the directory: " + error.message(), options.out);
  return {};
}

Result<api::Reply> generate_files(const Options& options) {
  SerialExecutor executor;
  NoProgress progress;
  api::Io io;
  io.open_source = [](std::string_view name) -> Result<std::unique_ptr<Source>> {
    return fail(ErrorCode::unsupported, "generate reads no files", std::string(name));
  };
  // The directory is made when the first file is written: an unknown scenario leaves nothing behind.
  bool prepared = false;
  io.open_sink = [&](std::string_view name) -> Result<std::unique_ptr<Sink>> {
    if (!prepared) TRY_OK(prepare(options));
    prepared = true;
    return TRY(native::FileSink::create(std::string(name)));
  };
  io.executor = &executor;
  io.progress = &progress;
  Json request = Json::object();
  request.set("seed", Json::string(options.seed)).set("out", Json::string(options.out));
  if (!options.scenario.empty()) request.set("scenario", Json::string(options.scenario));
  if (!options.level.empty()) request.set("level", Json::string(options.level));
  if (options.picture) request.set("picture", Json::boolean(true));
  return api::call("generate", request, io);
}

std::string summary_of(const Json& reply) {
  const std::string out(reply["out"].as_string());
  return out + ": " + std::to_string(reply["ranks"].as_int()) + " ranks (rank0.json ...), drill.json, truth.json\n" +
         "read it:   tracedrills read --facts " + out + "/drill.json " + out + "/rank*.json\n" + "answer:    " + out +
         "/truth.json\n";
}

int run(const Options& options) {
  const Result<api::Reply> reply = generate_files(options);
  if (!reply) {
    report_error(kName, reply.error());
    // A scenario that does not exist and a seed that is none are the command line's fault.
    const ErrorCode code = reply.error().code;
    return code == ErrorCode::not_found || code == ErrorCode::invalid_argument ? kExitUsage : kExitFailed;
  }
  return options.json ? print_json(kName, reply->json) : print_result(kName, summary_of(reply->json));
}

}  // namespace

Command generate() {
  return {
      .name = kName,
      .summary = "write a simulated job as trace files, with the truth beside them",
      .examples =
          "Examples:\n"
          "  tracedrills generate --seed 48213 --out drill48213\n"
          "  tracedrills generate --seed 48213 --level hard --out hard48213\n"
          "  tracedrills generate --scenario straggler --seed 7 --out straggler7\n"
          "  tracedrills generate --scenario bandwidth_fabric --seed 1 --out b1 --force\n"
          "  tracedrills generate --scenario healthy --seed 3 --out h3 --json\n"
          "\n"
          "Without an ID the seed draws all: the trace of drill core.1/N, or hard.1/N.\n"
          "ID is a cause (one of its scenarios is drawn by the seed) or a scenario; a wrong one lists them.\n"
          "The same ID, level and seed give the same bytes. DIR gets rankK.json, one a rank; drill.json, what a\n"
          "learner sees; and truth.json, the answer. --picture adds picture.svg: one step of rank 0 and of\n"
          "the rank that matters, with the evidence of the answer marked.\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand
            .add_option("--scenario", options->scenario, "Cause or scenario to simulate; without it, one is drawn")
            ->type_name("ID")
            ->check([](const std::string& text) {
              return text.empty() ? std::string("is empty, expected a cause or a scenario") : std::string();
            });
        subcommand.add_option("--seed", options->seed, "What is drawn: 0 to 4294967295")->type_name("N")->required();
        subcommand.add_option("--level", options->level, "standard, or hard: smaller effects [default: standard]")
            ->type_name("LEVEL")
            ->check([](const std::string& text) {
              return text.empty() ? std::string("is empty, expected standard or hard") : std::string();
            });
        subcommand.add_option("--out", options->out, "Directory to write; created if it is not there")
            ->type_name("DIR")
            ->check([](const std::string& text) {
              return text.empty() ? std::string("is empty, expected a directory") : std::string();
            })
            ->required();
        subcommand.add_flag("--picture", options->picture,
                            "Write DIR/picture.svg too: the step that tells, as a picture");
        subcommand.add_flag("--force", options->force, "Write into a directory that holds files already");
        subcommand.add_flag("--json", options->json, "Print a summary as JSON");
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
