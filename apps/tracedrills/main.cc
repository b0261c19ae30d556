// tracedrills: one binary, one subcommand each for what it can do. Subcommands are the files in command/.
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/help.h"
#include "tracedrills/suggest.h"
#include "tracedrills/version.h"

namespace td::app {
namespace {

constexpr const char* kSummary = "learn to read GPU timelines, and read your own";
constexpr const char* kFooter =
    "Examples:\n"
    "  tracedrills serve --open                      # the trainer, in the browser\n"
    "  tracedrills read rank0.json.gz                # where the time of a torch.profiler trace goes\n"
    "  tracedrills read --json rank*.json            # the same for a program\n"
    "  tracedrills generate --scenario straggler --seed 7 --out drill7\n"
    "\n"
    "`tracedrills COMMAND --help` has the options and examples of a command.\n"
    "\n"
    "Exit codes: 0 done; 1 the work failed, the message says what, where and what was expected;\n"
    "2 the command line was wrong.\n";

std::string_view find_name(int argc, char** argv) {
  for (const Command& command : all_commands()) {
    if (argc > 1 && command.name == argv[1]) return command.name;
  }
  return {};
}

int usage_error(std::string_view command, const std::string& message) {
  const std::string see = command.empty() ? "tracedrills --help" : "tracedrills " + std::string(command) + " --help";
  report_error(command, {.code = ErrorCode::invalid_argument,
                         .message = message + (message.ends_with('?') ? " See `" : "; see `") + see + "`",
                         .where = {}});
  return kExitUsage;
}

// What to say about a word that is no command; empty if the command line does not start with such a word.
std::string unknown_command(int argc, char** argv) {
  if (argc < 2) return "no command given";
  const std::string_view word = argv[1];
  if (word.starts_with('-') || !find_name(argc, argv).empty()) return {};
  std::vector<std::string_view> names;
  for (const Command& command : all_commands()) names.push_back(command.name);
  return no_such("command", word, names);
}

int run(int argc, char** argv) {
  CLI::App app(kSummary, "tracedrills");
  app.formatter(help_formatter());
  app.footer(kFooter);
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", "tracedrills " + std::string(version()), "Print the version");
  app.require_subcommand(1);
  std::function<int()> chosen;
  for (const Command& command : all_commands()) {
    CLI::App* subcommand = app.add_subcommand(std::string(command.name), std::string(command.summary));
    subcommand->footer(std::string(command.examples));
    subcommand->callback([&chosen, action = command.add(*subcommand)] { chosen = action; });
  }
  if (const std::string message = unknown_command(argc, argv); !message.empty()) return usage_error({}, message);
  const std::string_view name = find_name(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const CLI::App* target = name.empty() ? &app : app.get_subcommand(std::string(name));
    return print_result(name, target->help());
  } catch (const CLI::CallForVersion& called) {
    return print_result(name, std::string(called.what()) + "\n");
  } catch (const CLI::RequiredError& error) {
    // An option before the command: CLI11 speaks of the command that it then misses.
    const bool stray = name.empty() && argc > 1;
    return usage_error(name, stray ? "no option \"" + std::string(argv[1]) + "\"" : error.what());
  } catch (const CLI::ParseError& error) {
    return usage_error(name, error.what());
  }
  return chosen();
}

}  // namespace
}  // namespace td::app

int main(int argc, char** argv) {
  // A pipe that closes (`| head`) and a browser that leaves are errors of a write, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return td::app::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return td::app::report_error({}, {.code = td::ErrorCode::internal, .message = "out of memory", .where = {}});
  } catch (const std::exception& error) {
    return td::app::report_error({}, {.code = td::ErrorCode::internal, .message = error.what(), .where = {}});
  }
}
