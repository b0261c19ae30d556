// What every subcommand shares: how an error is printed, and standard output that may be a pipe that closes.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace td::app {

// Prints `tracedrills COMMAND: where: message` as one line to standard error and returns kExitFailed. Control
// characters (a file name may hold any) are printed as \xNN.
int report_error(std::string_view command, const Error& error);

// The same for what is worth saying but does not fail the command: `tracedrills COMMAND: warning: message`.
void report_warning(std::string_view command, std::string_view message);

// Whether a person sees standard output (colour, progress) or a file or pipe takes it.
bool stdout_is_terminal();
bool stderr_is_terminal();

// Writes all bytes to standard output; io error if it cannot (disk full). A reader that closed its end of the pipe
// (`| head`) is no error: the rest is dropped and the result is ok.
Status write_stdout(std::string_view bytes);

// write_stdout and the exit code in one: kExitOk, or the error reported under `command`.
int print_result(std::string_view command, std::string_view text);

// The same for a JSON value: indented by two on a terminal and in a pipe alike, with a newline at the end.
int print_json(std::string_view command, const Json& json);

}  // namespace td::app
