// The exported C functions over api::call. The caller owns the memory that it allocates here; see README.md.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/api.h"
#include "base/io.h"
#include "base/json.h"
#include "base/result.h"

namespace td::wasm {
namespace {

constexpr std::string_view kMagic = "TDR1";

// The reply of the last call, kept until the next one.
std::string& reply_bytes() {
  static std::string bytes;
  return bytes;
}

void append_u32(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 0xff);
}

// The framing that HTTP uses for replies with a blob (docs/api.md).
std::string frame(const Json& json, std::string_view blob) {
  const std::string text = json.dump();
  std::string out(kMagic);
  append_u32(out, static_cast<uint32_t>(text.size()));
  out += text;
  out += blob;
  return out;
}

Json error_json(const Error& error) {
  Json inner = Json::object();
  inner.set("code", Json::string(to_string(error.code)));
  inner.set("message", Json::string(error.message));
  inner.set("where", Json::string(error.where));
  return Json::object().set("error", std::move(inner));
}

Result<api::Reply> call(std::string_view method, std::string_view request_text) {
  const Json request = TRY(parse_json(request_text));
  const auto refuse = [](std::string_view name) {
    return fail(ErrorCode::unsupported, "the module opens no files", std::string(name));
  };
  SerialExecutor executor;
  NoProgress progress;
  api::Io io;
  io.open_source = [&](std::string_view name) -> Result<std::unique_ptr<Source>> { return refuse(name); };
  io.open_sink = [&](std::string_view name) -> Result<std::unique_ptr<Sink>> { return refuse(name); };
  io.executor = &executor;
  io.progress = &progress;
  return api::call(method, request, io);
}

}  // namespace
}  // namespace td::wasm

extern "C" {

// `size` bytes of the module's memory, or 0 if there is no more. Give back with td_free.
[[clang::export_name("td_alloc")]] void* td_alloc(size_t size) { return std::malloc(size); }

[[clang::export_name("td_free")]] void td_free(void* memory) { std::free(memory); }

// Calls `method` (name_size bytes at name) with the JSON text at request. Returns the reply: "TDR1", a little-endian
// u32, that many bytes of JSON, then the blob; its length is td_reply_size(). An error is the JSON {"error":{...}}
// without a blob. Valid until the next td_call.
[[clang::export_name("td_call")]] const char* td_call(const char* name, size_t name_size, const char* request,
                                                      size_t request_size) {
  const td::Result<td::api::Reply> reply = td::wasm::call({name, name_size}, {request, request_size});
  td::wasm::reply_bytes() =
      reply ? td::wasm::frame(reply->json, reply->blob) : td::wasm::frame(td::wasm::error_json(reply.error()), {});
  return td::wasm::reply_bytes().data();
}

[[clang::export_name("td_reply_size")]] size_t td_reply_size() { return td::wasm::reply_bytes().size(); }

}  // extern "C"
