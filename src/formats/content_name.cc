#include "formats/content_name.h"

namespace td::formats {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string name_object(std::string_view text) {
  if (has(text, "\"traceEvents\"")) return "a Chrome trace";
  if (has(text, "chakra") || (has(text, "\"nodes\"") && has(text, "\"schema\"")))
    return "a PyTorch execution trace (\"nodes\" without times of GPU work); record with torch.profiler and "
           "export_chrome_trace";
  if (has(text, "\"rocprofiler-sdk-tool\""))
    return "a rocprofv3 result; convert it with --output-format pftrace or record with torch.profiler";
  if (has(text, "speedscope.app")) return "a speedscope profile (samples, no GPU timeline)";
  if (has(text, "\"nodes\"") && has(text, "\"samples\"")) return "a V8 CPU profile (samples, no GPU timeline)";
  if (has(text, "\"sample_count\"") || has(text, "\"root_frame\""))
    return "a pyinstrument profile (samples, no GPU timeline)";
  if (has(text, "\"segments\"") && has(text, "\"device_traces\"")) return "a CUDA memory snapshot";
  const std::string_view key = first_json_key(text);
  return "JSON without \"traceEvents\"" +
         (key.empty() ? std::string() : " (first key \"" + std::string(key.substr(0, 64)) + "\")");
}

}  // namespace

std::string_view skip_front(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (!bytes.empty() &&
         (bytes.front() == ' ' || bytes.front() == '\n' || bytes.front() == '\r' || bytes.front() == '\t'))
    bytes.remove_prefix(1);
  return bytes;
}

std::string_view first_json_key(std::string_view bytes) {
  bytes = skip_front(bytes);
  if (!bytes.starts_with('{')) return {};
  bytes = skip_front(bytes.substr(1));
  if (!bytes.starts_with('"')) return {};
  const size_t end = bytes.find('"', 1);
  return end == std::string_view::npos ? std::string_view() : bytes.substr(1, end - 1);
}

std::string name_content(std::string_view first_bytes) {
  if (first_bytes.empty()) return "an empty file";
  if (first_bytes.starts_with("SQLite format 3")) return "an SQLite database (an Nsight Systems export, perhaps)";
  if (first_bytes.starts_with("PK\x03\x04")) return "a zip archive; unpack it first";
  if (first_bytes.starts_with("\x1f\x8b")) return "gzip data; unpack it first";
  if (first_bytes.starts_with("\x28\xb5\x2f\xfd")) return "zstd data; unpack it first";
  if (first_bytes.starts_with('\x0a') && first_bytes.size() > 2 && static_cast<unsigned char>(first_bytes[1]) >= 0x08 &&
      first_bytes[1] != '{')
    if (has(first_bytes.substr(0, 4096), std::string_view("\0", 1)))
      return "a binary file (a Perfetto protobuf trace, perhaps)";
  const std::string_view text = skip_front(first_bytes);
  if (text.empty()) return "a file of white space only";
  if (text.starts_with('<')) return "an HTML or XML page";
  if (text.starts_with("version https://git-lfs")) return "a Git LFS pointer, not the file itself";
  if (text.starts_with('{')) return name_object(text);
  if (text.starts_with('[')) {
    const std::string_view inside = skip_front(text.substr(1));
    if (inside.starts_with('[')) return "a JSON list of lists (a PyTorch memory timeline, perhaps)";
    return "a JSON list that does not hold events";
  }
  return "neither JSON nor another trace format that is known here";
}

}  // namespace td::formats
