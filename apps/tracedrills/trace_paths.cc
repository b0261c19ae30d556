#include "tracedrills/trace_paths.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "tracedrills/cli.h"

namespace td::app {
namespace {

namespace fs = std::filesystem;

bool is_trace(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name == "drill.json" || name == "truth.json") return false;
  return name.ends_with(".json") || name.ends_with(".json.gz") || name.ends_with(".sqlite") ||
         name.ends_with(".pftrace");
}

}  // namespace

std::vector<std::string> trace_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      out.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
      if (entry.is_regular_file(error) && is_trace(entry.path())) inside.push_back(entry.path().string());
    std::ranges::sort(inside);
    if (inside.empty()) inside.push_back(path);  // reading it will say what it is
    out.insert(out.end(), inside.begin(), inside.end());
  }
  return out;
}

// NO_COLOR is a convention of many programs: any value switches colours off.
bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return stdout_is_terminal() && (no_colour == nullptr || *no_colour == '\0');
}

int terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::clamp<int>(size.ws_col, 60, 100) : 100;
}

}  // namespace td::app
