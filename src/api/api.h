// The one surface behind CLI, HTTP and WASM: call(method, json, Io) -> {json, blob}. Stateless: `open` simulates and
// lets the truth go, `reveal` simulates again. docs/api.md describes every method and the binary block.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/io.h"
#include "base/json.h"
#include "base/result.h"

namespace td::api {

// What a call may reach outside: named sources and sinks, workers, progress. Over HTTP and in WASM nothing can be
// opened by name but what the caller itself handed in.
struct Io {
  std::function<Result<std::unique_ptr<Source>>(std::string_view name)> open_source;
  std::function<Result<std::unique_ptr<Sink>>(std::string_view name)> open_sink;
  Executor* executor = nullptr;  // never null
  Progress* progress = nullptr;  // never null
};

struct Reply {
  Json json;
  std::string blob;  // empty, the binary block of columns, or a file's bytes
};

// not_found with the valid method names if there is no such method.
Result<Reply> call(std::string_view method, const Json& request, Io& io);

}  // namespace td::api
