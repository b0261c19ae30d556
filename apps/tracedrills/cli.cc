#include "tracedrills/cli.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tracedrills/command/command.h"

namespace td::app {
namespace {

// One line whatever a file name holds: no newline, no escape sequence reaches the terminal.
std::string printable(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

// 0, or the errno of the write that failed.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::string prefix(std::string_view command) {
  std::string line = "tracedrills";
  if (!command.empty()) line.append(" ").append(command);
  return line + ": ";
}

}  // namespace

int report_error(std::string_view command, const Error& error) {
  write_all(STDERR_FILENO, prefix(command) + printable(error.text()) + "\n");
  return kExitFailed;
}

void report_warning(std::string_view command, std::string_view message) {
  write_all(STDERR_FILENO, prefix(command) + "warning: " + printable(message) + "\n");
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

Status write_stdout(std::string_view bytes) {
  const int error = write_all(STDOUT_FILENO, bytes);
  if (error == 0 || error == EPIPE) return {};
  return fail(ErrorCode::io, std::string("cannot write: ") + std::strerror(error), "standard output");
}

int print_result(std::string_view command, std::string_view text) {
  const Status written = write_stdout(text);
  return written ? kExitOk : report_error(command, written.error());
}

int print_json(std::string_view command, const Json& json) { return print_result(command, json.dump(2) + "\n"); }

}  // namespace td::app
