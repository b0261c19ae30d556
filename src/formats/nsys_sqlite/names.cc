#include "formats/nsys_sqlite/names.h"

#include <array>
#include <charconv>

namespace td::formats::nsys {
namespace {

bool all_digits(std::string_view text) {
  for (const char c : text)
    if (c < '0' || c > '9') return false;
  return !text.empty();
}

std::string_view memory_name(int64_t kind) {
  constexpr std::array<std::string_view, 7> kNames = {"Pageable", "Pinned", "Device", "Array",
                                                      "Managed",  "Device", "Managed"};
  return kind >= 0 && kind < static_cast<int64_t>(kNames.size()) ? kNames[static_cast<size_t>(kind)] : "Unknown";
}

std::string_view copy_text(int64_t kind) {
  switch (kind) {
    case 1:
      return "HtoD";
    case 2:
      return "DtoH";
    case 8:
      return "DtoD";
    case 9:
      return "HtoH";
    case 10:
      return "PtoP";
    case 11:
      return "Unified HtoD";
    case 12:
      return "Unified DtoH";
    case 13:
      return "Unified DtoD";
    default:
      return "Unknown";
  }
}

int64_t number_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  int64_t value = -1;
  const char* begin = text.data() + at + key.size();
  const auto parsed = std::from_chars(begin, text.data() + text.size(), value);
  return parsed.ec == std::errc() ? value : -1;
}

}  // namespace

std::string_view api_name(std::string_view name) {
  const size_t version = name.rfind("_v");
  if (version != std::string_view::npos && all_digits(name.substr(version + 2))) name = name.substr(0, version);
  for (const std::string_view suffix : {"_ptsz", "_ptds"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

trace::CopyKind copy_kind(int64_t kind) {
  switch (kind) {
    case 1:
    case 11:
      return trace::CopyKind::h2d;
    case 2:
    case 12:
      return trace::CopyKind::d2h;
    case 8:
    case 13:
      return trace::CopyKind::d2d;
    case 9:
      return trace::CopyKind::h2h;
    case 10:
      return trace::CopyKind::p2p;
    default:
      return trace::CopyKind::unknown;
  }
}

std::string copy_name(int64_t kind, int64_t source_memory, int64_t target_memory) {
  std::string out = "Memcpy " + std::string(copy_text(kind));
  if (source_memory < 0 && target_memory < 0) return out;
  return out + " (" + std::string(memory_name(source_memory)) + " -> " + std::string(memory_name(target_memory)) + ")";
}

std::string_view sync_name(int64_t type) {
  switch (type) {
    case 1:
      return "Event Sync";
    case 2:
      return "Stream Wait Event";
    case 3:
      return "Stream Sync";
    case 4:
      return "Context Sync";
    default:
      return "Sync";
  }
}

OpRange parse_op_range(std::string_view text) {
  const size_t comma = text.find(", ");
  if (comma == std::string_view::npos) return {.name = text, .sizes = {}};
  const std::string_view rest = text.substr(comma);
  const bool is_op = rest.starts_with(", op_id = ") || rest.starts_with(", seq = ") || rest.starts_with(", sizes = ");
  if (!is_op) return {.name = text, .sizes = {}};
  OpRange out{.name = text.substr(0, comma), .is_op = true, .sequence = number_after(rest, ", seq = "), .sizes = {}};
  constexpr std::string_view kSizes = ", sizes = ";
  if (const size_t at = rest.find(kSizes); at != std::string_view::npos) {
    const std::string_view list = rest.substr(at + kSizes.size());
    int depth = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i] == '[') ++depth;
      if (list[i] == ']' && --depth == 0) {
        out.sizes = list.substr(0, i + 1);
        break;
      }
    }
  }
  return out;
}

}  // namespace td::formats::nsys
