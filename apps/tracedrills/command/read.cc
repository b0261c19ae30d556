// tracedrills read: where the time of a trace goes, in the fixed order.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "api/api.h"
#include "native/file.h"
#include "native/open_source.h"
#include "native/terminal_progress.h"
#include "native/thread_executor.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/trace_paths.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "read";

struct Options {
  std::vector<std::string> files;
  std::string fabric;
  std::string facts;
  std::vector<std::string> reference;
  bool json = false;
};

Json request_of(const Options& options) {
  Json files = Json::array();
  for (const std::string& file : trace_paths(options.files)) files.push(Json::string(file));
  Json request = Json::object().set("files", std::move(files));
  if (!options.fabric.empty()) request.set("fabric", Json::string(options.fabric));
  if (!options.facts.empty()) request.set("facts", Json::string(options.facts));
  if (!options.reference.empty()) {
    Json reference = Json::array();
    for (const std::string& file : trace_paths(options.reference)) reference.push(Json::string(file));
    request.set("reference", std::move(reference));
  }
  if (!options.json)
    request.set(
        "text",
        Json::object().set("colour", Json::boolean(wants_colour())).set("columns", Json::integer(terminal_columns())));
  return request;
}

Result<api::Reply> call_read(const Options& options) {
  native::ThreadExecutor executor;
  native::TerminalProgress progress;
  api::Io io;
  io.open_source = [](std::string_view name) { return native::open_source(std::string(name)); };
  io.open_sink = [](std::string_view name) -> Result<std::unique_ptr<Sink>> {
    return fail(ErrorCode::unsupported, "reading writes no files", std::string(name));
  };
  io.executor = &executor;
  io.progress = &progress;
  return api::call("read", request_of(options), io);
}

int run(const Options& options) {
  const Result<api::Reply> reply = call_read(options);
  if (!reply) {
    // A fabric that is none, or not this job's, is the command line's fault; everything else a file's.
    if (reply.error().code != ErrorCode::invalid_argument || reply.error().where != "fabric")
      return report_error(kName, reply.error());
    report_error(kName, {.code = reply.error().code, .message = reply.error().message, .where = "--fabric"});
    return kExitUsage;
  }
  const int printed = options.json ? print_json(kName, reply->json) : print_result(kName, reply->blob);
  if (printed != kExitOk) return printed;
  // What could be read was printed; what could not still fails the command.
  for (const Json& file : reply->json["unread_files"].items())
    report_error(kName, {.code = ErrorCode::io,
                         .message = std::string(file["error"].as_string()),
                         .where = std::string(file["file"].as_string())});
  return reply->json["unread_files"].items().empty() ? kExitOk : kExitFailed;
}

}  // namespace

Command read() {
  return {
      .name = kName,
      .summary = "where the time of a trace goes, in the fixed order",
      .examples =
          "Examples:\n"
          "  tracedrills read rank0.json.gz                # trust, steps, gaps, overlap, kernels, findings\n"
          "  tracedrills read rank*.json.gz                # all ranks of a job: who waits for whom\n"
          "  tracedrills read captures/                    # a folder of them\n"
          "  tracedrills read --reference good.json.gz today.json.gz   # the same job when it was well\n"
          "  tracedrills read --fabric 2x8:ib400x8 rank*.json.gz\n"
          "  tracedrills read --facts drill7/drill.json drill7/rank*.json\n"
          "  tracedrills read --json trace.json > reading.json\n"
          "\n"
          "ib400 alone is two nodes with one NIC a GPU, eth100 alone two nodes with one NIC a node.\n"
          "Each file is one rank of the same job. A file that cannot be read is named, the others are read\n"
          "all the same, and the exit code is 1. docs/reading.md defines every number.\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand
            .add_option("FILE", options->files, "Traces: Kineto / chrome JSON, plain or gzip; nsys SQLite; Perfetto")
            ->type_name("")
            ->required();
        subcommand.add_flag("--json", options->json, "The reading as JSON");
        subcommand
            .add_option("--fabric", options->fabric,
                        "What connects the ranks: nvlink, pcie4, pcie5, ib400, eth100, 2x8:ib400x8, ...")
            ->type_name("TEXT");
        subcommand.add_option("--facts", options->facts, "A drill.json whose facts (GPU, fabric) hold")
            ->type_name("FILE");
        subcommand
            .add_option("--reference", options->reference,
                        "A trace of the same job when it was well, to compare kernels")
            ->type_name("FILE")
            ->allow_extra_args(false);
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
