// The text of --help, ours rather than CLI11's own: the same in each of its releases, and with examples.
#pragma once

#include <memory>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class FormatterBase;
}

namespace td::app {

// Lays out name, summary, usage, arguments, options, subcommands, then the app's footer (examples).
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace td::app
