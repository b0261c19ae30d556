// tracedrills math: the mental-math trainer, for a person at a terminal or a script.
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "api/api.h"
#include "tracedrills/cli.h"
#include "tracedrills/command/command.h"
#include "tracedrills/math_session.h"

namespace td::app::command {
namespace {

constexpr std::string_view kName = "math";

struct Options {
  std::string category;
  std::string problem;
  std::string seed;
  std::string set = "core";
  std::string mode = "one";
  std::optional<std::string> answer;
  bool json = false;
  bool reveal = false;
  bool list = false;
  bool no_clock = false;
};

Result<Json> call_api(std::string_view method, const Json& request) {
  SerialExecutor executor;
  NoProgress progress;
  const auto refuse = [](std::string_view name) {
    return fail(ErrorCode::unsupported, "math opens no files", std::string(name));
  };
  api::Io io;
  io.open_source = [&](std::string_view name) -> Result<std::unique_ptr<Source>> { return refuse(name); };
  io.open_sink = [&](std::string_view name) -> Result<std::unique_ptr<Sink>> { return refuse(name); };
  io.executor = &executor;
  io.progress = &progress;
  Result<api::Reply> reply = api::call(method, request, io);
  if (!reply) return std::unexpected(reply.error());
  return std::move(reply->json);
}

// An option that was wrong ends with 2, with its name in front: that is what the learner typed.
int failed(Error error) {
  const bool theirs = error.code == ErrorCode::invalid_argument || error.code == ErrorCode::not_found ||
                      error.code == ErrorCode::malformed;
  if (theirs && (error.where == "answer" || error.where == "seed" || error.where == "problem" || error.where == "set" ||
                 error.where == "mode")) {
    error.where.insert(0, "--");
  }
  report_error(kName, error);
  return theirs ? kExitUsage : kExitFailed;
}

// "core", "all", or ids separated by commas.
Json set_json(const Options& options) {
  if (options.set == "core" || options.set == "all") return Json::string(options.set);
  Json ids = Json::array();
  std::string_view rest = options.set;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    ids.push(Json::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return ids;
}

uint32_t random_seed() { return std::random_device{}(); }

// Which problem the options name: by name, by category and seed, or drawn.
Result<Json> asked(const Options& options) {
  Json request = Json::object();
  if (!options.problem.empty()) return request.set("problem", Json::string(options.problem));
  const Json seed = options.seed.empty() ? Json::integer(random_seed()) : Json::string(options.seed);
  if (!options.category.empty()) return request.set("category", Json::string(options.category)).set("seed", seed);
  request.set("seed", seed).set("set", set_json(options));
  if (options.mode == "cards") request.set("mode", Json::string("cards"));
  return call_api("math_next", request);
}

// What the issue of the format fixes for scripts: a flat object, steps as lines.
Json script_json(const Json& opened, const Json& graded, const Options& options) {
  Json out = Json::object();
  const bool tells = !options.category.empty() || options.reveal;
  const Json& source = graded.is_null() ? opened : graded;
  if (tells) out.set("category", source["category"]).set("seed", source["seed"]);
  for (const char* key : {"question", "inputs", "asks", "unit", "choices", "conventions", "problem"})
    out.set(key, opened[key]);
  if (options.reveal) {
    Json steps = Json::array();
    for (const Json& step : graded["steps"].items()) {
      steps.push(Json::string(std::string(step["text"].as_string()) + ": " + std::string(step["sum"].as_string())));
    }
    out.set("answer", graded["answer"]).set("steps", std::move(steps));
    for (const char* key : {"title", "identity", "shortcut", "in_practice", "source", "formula_source"})
      out.set(key, graded[key]);
  }
  if (options.answer) {
    for (const char* key : {"grade", "why", "slip", "read_as"}) out.set(key, graded[key]);
  }
  return out;
}

Result<std::string> answered(const Options& options) {
  Json request = TRY(asked(options));
  const Json opened = TRY(call_api("math_open", request));
  Json graded;
  if (options.reveal || options.answer) {
    if (const auto& answer = options.answer) request.set("answer", Json::string(*answer));
    graded = TRY(call_api("math_answer", request));
  }
  if (options.json) return script_json(opened, graded, options).dump(2) + "\n";
  std::string out = question_text(opened);
  if (options.answer) {
    const std::string_view slip = graded["slip"].as_string();
    out.append(graded["grade"].as_string()).append(slip.empty() ? "" : " - slip: ").append(slip).append("\n");
    out.append(graded["why"].as_string()).append("\n");
  }
  if (options.reveal) {
    out.append("Answer: ").append(graded["answer_text"].as_string()).append("\n");
    out += working_text(graded);
  }
  return out;
}

int list(const Options& options) {
  const Result<Json> catalog = call_api("math_catalog", Json::object());
  if (!catalog) return failed(catalog.error());
  if (options.json) return print_json(kName, *catalog);
  std::string out;
  for (const bool core : {true, false}) {
    out += core ? "Core, on by default:\n" : "\nFurther ones, with --set all or by id:\n";
    for (const Json& category : (*catalog)["categories"].items()) {
      if (category["is_core"].as_bool() != core) continue;
      std::string id(category["id"].as_string());
      id.resize(std::max<size_t>(id.size() + 1, 24), ' ');
      out.append("  ").append(id).append(category["title"].as_string()).append("\n");
    }
  }
  return print_result(kName, out);
}

std::optional<std::string> read_line() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}

int64_t now_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

int converse(const Options& options) {
  MathSession session{
      .mode = options.mode,
      .set = options.category.empty() ? set_json(options) : Json::array().push(Json::string(options.category)),
      .first = {},
      .seed = random_seed(),
      .has_clock = !options.no_clock,
      .read_line = read_line,
      .print = write_stdout,
      .now_ms = now_ms,
      .call = call_api};
  if (!options.problem.empty() || !options.seed.empty()) {
    const Result<Json> request = asked(options);
    if (!request) return failed(request.error());
    const Result<Json> opened = call_api("math_open", *request);
    if (!opened) return failed(opened.error());
    session.first = std::string((*opened)["problem"].as_string());
  }
  const Status done = run_math_session(session);
  return done ? kExitOk : failed(done.error());
}

int run(const Options& options) {
  if (options.list) return list(options);
  if (!options.json && !options.reveal && !options.answer) return converse(options);
  const Result<std::string> text = answered(options);
  return text ? print_result(kName, *text) : failed(text.error());
}

std::string one_of_modes(const std::string& text) {
  for (const char* mode : {"one", "storm", "weakest", "cards"}) {
    if (text == mode) return {};
  }
  return "\"" + text + "\" is no mode, expected one, storm, weakest or cards";
}

}  // namespace

Command math() {
  return {
      .name = kName,
      .summary = "the mental-math trainer: two minutes a sum, typed with its unit",
      .examples =
          "Examples:\n"
          "  tracedrills math                                        # one after another, core categories\n"
          "  tracedrills math --mode storm                           # as many as you can in three minutes\n"
          "  tracedrills math --mode cards                           # spec flash cards\n"
          "  tracedrills math --set all --mode weakest\n"
          "  tracedrills math --category ring_all_reduce --seed 7 --json --reveal\n"
          "  tracedrills math --category kv_capacity --seed 3 --json --answer \"40 sequences\"\n"
          "\n"
          "Answers: 1.3 TB/s, 295, 4.2ms, ~40 tok/s, 2^20, 3e9, 1,300, yes, compute. Within 10 % is right,\n"
          "within a factor of 2 close; over two minutes is a miss. Attempts are remembered for this run alone.\n",
      .add = [](CLI::App& subcommand) -> std::function<int()> {
        auto options = std::make_shared<Options>();
        subcommand.add_option("--category", options->category, "Problems of this category alone")->type_name("ID");
        subcommand.add_option("--seed", options->seed, "Which problem of it: 0 to 4294967295; drawn if left out")
            ->type_name("N");
        subcommand.add_option("--problem", options->problem, "A problem by its name, as the page and --json give it")
            ->type_name("NAME");
        subcommand.add_option("--set", options->set, "core, all, or ids separated by commas")
            ->type_name("SET")
            ->default_str("core");
        subcommand.add_option("--mode", options->mode, "one, storm, weakest or cards")
            ->type_name("MODE")
            ->default_str("one")
            ->check(one_of_modes);
        subcommand.add_option("--answer", options->answer, "Grade this answer")->type_name("TEXT");
        subcommand.add_flag("--reveal", options->reveal, "Print the answer and the working");
        subcommand.add_flag("--json", options->json, "Print JSON, for scripts");
        subcommand.add_flag("--no-clock", options->no_clock, "No limit of two minutes");
        subcommand.add_flag("--list", options->list, "List the categories");
        return [options] { return run(*options); };
      },
  };
}

}  // namespace td::app::command
