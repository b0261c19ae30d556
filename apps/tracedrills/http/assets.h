// The page's files, part of the binary. embed.cmake generates the list from what web/build.mjs wrote.
#pragma once

#include <span>
#include <string_view>

namespace td::app::http {

struct Asset {
  std::string_view path;        // "index.html", "app.js"
  std::string_view bytes;       // lives as long as the program
  std::string_view gzip_bytes;  // the same compressed; empty where that saves nothing
  std::string_view etag;        // with its quotes; changes with the bytes
};

// Sorted by path. Generated.
std::span<const Asset> all_assets();

// The asset of a request path ("/" is index.html), or null.
const Asset* find_asset(std::string_view request_path);

// The media type of a file name's extension; application/octet-stream if unknown.
std::string_view media_type(std::string_view path);

// Whether the name carries a hash of its content (esbuild's NAME-ABCD1234.js), so that browsers may keep it for good.
bool is_hashed_name(std::string_view path);

}  // namespace td::app::http
