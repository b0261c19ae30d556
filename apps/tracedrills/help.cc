#include "tracedrills/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace td::app {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kMaxLeft = 26;

using Row = std::pair<std::string, std::string>;  // what is typed, what it does

// Breaks `text` at spaces so that lines from the second on start at `indent`.
std::string wrap(std::string_view text, size_t indent) {
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string section(std::string_view title, const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  size_t left = 0;
  for (const Row& row : rows) left = std::max(left, std::min(row.first.size(), kMaxLeft));
  std::string out = "\n" + std::string(title) + ":\n";
  for (const auto& [what, why] : rows) {
    out.append("  ").append(what);
    const size_t indent = left + 4;
    if (what.size() > left) {
      out.append("\n").append(indent, ' ');
    } else {
      out.append(indent - 2 - what.size(), ' ');
    }
    out.append(wrap(why, indent)).append("\n");
  }
  return out;
}

// "-h, --help", "    --port PORT", "FILE...".
std::string typed(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true) + (option.get_expected_max() > 1 ? "..." : "");
  std::string out = option.get_snames().empty() ? "    " : "-" + option.get_snames().front();
  for (const std::string& name : option.get_lnames()) out.append(out == "    " ? "--" : ", --").append(name);
  if (option.get_expected_max() > 0 && option.get_type_size() > 0) out.append(" ").append(option.get_type_name());
  if (option.get_expected_max() > 1) out += "...";
  return out;
}

std::string meaning(const CLI::Option& option) {
  std::string out = option.get_description();
  if (!option.get_default_str().empty()) out += " [default: " + option.get_default_str() + "]";
  if (option.get_required() && !option.get_positional()) out += " (required)";
  return out;
}

class Formatter final : public CLI::FormatterBase {
 public:
  [[nodiscard]] std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::vector<Row> arguments;
    std::vector<Row> options;
    std::vector<Row> commands;
    std::string usage;
    for (const CLI::Option* option : app->get_options({})) {
      if (option->get_group().empty()) continue;
      (option->get_positional() ? arguments : options).emplace_back(typed(*option), meaning(*option));
      if (option->get_required() && !option->get_positional()) usage.append(" ").append(trimmed(typed(*option)));
    }
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
      commands.emplace_back(command->get_name(), command->get_description());
    }
    for (const Row& row : arguments) usage += " " + row.first;
    std::string full_name = app->get_name();
    for (const CLI::App* up = app->get_parent(); up != nullptr; up = up->get_parent()) {
      full_name.insert(0, up->get_name() + " ");
    }
    std::string out = full_name + " - " + app->get_description() + "\n\nUsage: " + full_name;
    out += commands.empty() ? " [options]" + usage : " COMMAND [options]";
    out += "\n" + section("Arguments", arguments) + section("Commands", commands) + section("Options", options);
    if (!app->get_footer().empty()) out += "\n" + app->get_footer();
    return out;
  }

 private:
  static std::string trimmed(const std::string& text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<Formatter>(); }

}  // namespace td::app
