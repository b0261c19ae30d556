#include "tracedrills/http/assets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace td::app::http {

const Asset* find_asset(std::string_view request_path) {
  if (request_path.empty() || request_path.front() != '/') return nullptr;
  const std::string_view name = request_path == "/" ? "index.html" : request_path.substr(1);
  const auto assets = all_assets();
  const auto found = std::ranges::find(assets, name, &Asset::path);
  return found == assets.end() ? nullptr : &*found;
}

std::string_view media_type(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes = {{
      {".css", "text/css; charset=utf-8"},
      {".html", "text/html; charset=utf-8"},
      {".ico", "image/x-icon"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".png", "image/png"},
      {".svg", "image/svg+xml"},
      {".txt", "text/plain; charset=utf-8"},
      {".wasm", "application/wasm"},
      {".webmanifest", "application/manifest+json"},
      {".woff2", "font/woff2"},
  }};
  for (const auto& [extension, type] : kTypes) {
    if (path.ends_with(extension)) return type;
  }
  return "application/octet-stream";
}

bool is_hashed_name(std::string_view path) {
  constexpr size_t kHashLength = 8;
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot < kHashLength + 1 || path[dot - kHashLength - 1] != '-') return false;
  return std::ranges::all_of(path.substr(dot - kHashLength, kHashLength),
                             [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

}  // namespace td::app::http
