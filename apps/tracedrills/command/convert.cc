// tracedrills convert: traces of one job, whatever their format, as one file of another.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "api/api.h"
#include "native/file.h"
#include "native/gzip_sink.h"
#include "native/open_source.h"
#include "native/terminal_progress.h"
#include "native/thread_executor.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/trace_paths.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "convert";

struct Options {
  std::vector<std::string> files;
  std::string out;
  bool json = false;
};

Result<std::unique_ptr<Sink>> open_sink(std::string_view name) {
  const std::string path(name);
  std::unique_ptr<Sink> file = TRY(native::FileSink::create(path));
  if (path.ends_with(".gz")) return std::make_unique<native::GzipSink>(std::move(file));
  return file;
}

Result<api::Reply> call_convert(const Options& options) {
  native::ThreadExecutor executor;
  native::TerminalProgress progress;
  api::Io io;
  io.open_source = [](std::string_view name) { return native::open_source(std::string(name)); };
  io.open_sink = open_sink;
  io.executor = &executor;
  io.progress = &progress;
  Json files = Json::array();
  for (const std::string& file : trace_paths(options.files)) files.push(Json::string(file));
  return api::call("convert", Json::object().set("files", std::move(files)).set("out", Json::string(options.out)), io);
}

std::string summary_of(const Json& reply) {
  const auto count = [&](std::string_view member, std::string_view what) {
    const int64_t number = reply[member].as_int();
    return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
  };
  return std::string(reply["out"].as_string()) + ": " + count("ranks", "rank") + ", " + count("slices", "slice") + "\n";
}

int run(const Options& options) {
  const Result<api::Reply> reply = call_convert(options);
  if (!reply) {
    report_error(kName, reply.error());
    return reply.error().code == ErrorCode::invalid_argument && reply.error().where == "out" ? kExitUsage : kExitFailed;
  }
  const Json& json = reply->json;
  for (const Json& problem : json["problems"].items())
    report_warning(kName, std::string(problem["id"].as_string()) + " (" + std::to_string(problem["count"].as_int()) +
                              "): " + std::string(problem["text"].as_string()));
  for (const Json& file : json["unread_files"].items())
    report_error(kName, {.code = ErrorCode::io,
                         .message = std::string(file["error"].as_string()),
                         .where = std::string(file["file"].as_string())});
  const int printed = options.json ? print_json(kName, json) : print_result(kName, summary_of(json));
  return printed == kExitOk && !json["unread_files"].items().empty() ? kExitFailed : printed;
}

}  // namespace

Command convert() {
  return {
      .name = kName,
      .summary = "write traces in another format, all ranks in one file",
      .examples =
          "Examples:\n"
          "  tracedrills convert report.sqlite -o report.json       # Nsight Systems, for Perfetto\n"
          "  tracedrills convert rank*.json.gz -o job.pftrace       # a quarter of the size, exact times\n"
          "  tracedrills convert job.pftrace -o job.json.gz\n"
          "\n"
          "Reads what `tracedrills read` reads and writes what OUT ends in: .json (Kineto / chrome JSON),\n"
          ".pftrace (Perfetto), and .gz behind either. The ranks keep their clocks. What was lost or mended in\n"
          "reading is told on standard error; OUT appears when it is whole.\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand.add_option("FILE", options->files, "Traces of one job")->type_name("")->required();
        subcommand.add_option("-o,--out", options->out, "The file to write")->type_name("OUT")->required();
        subcommand.add_flag("--json", options->json, "What was done as JSON");
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
