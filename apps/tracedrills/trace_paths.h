// What a command line names as traces: files, or folders of them.
#pragma once

#include <string>
#include <vector>

namespace td::app {

// Folders become the traces in them, sorted by name (.json, .json.gz, .sqlite, .pftrace; not drill.json and
// truth.json); everything else stays as it is, also what does not exist: reading it will say so.
std::vector<std::string> trace_paths(const std::vector<std::string>& paths);

// The width of the terminal, 60 to 100; 100 where there is none.
int terminal_columns();
// Colour only on a terminal, and not where NO_COLOR says otherwise.
bool wants_colour();

}  // namespace td::app
