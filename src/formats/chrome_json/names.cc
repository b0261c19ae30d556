#include "formats/chrome_json/names.h"

#include <cstring>

namespace td::formats::chrome {
namespace {

// Length, first and last bytes: enough to tell kernel names apart without reading all of them.
size_t short_hash(std::string_view text) {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t middle = 0;
  if (text.size() >= 8) {
    std::memcpy(&first, text.data(), 8);
    std::memcpy(&last, text.data() + text.size() - 8, 8);
    std::memcpy(&middle, text.data() + (text.size() - 8) / 2, 8);
  } else {
    std::memcpy(&first, text.data(), text.size());
  }
  uint64_t hash = first * 0x9E3779B97F4A7C15ULL;
  hash = (hash ^ last ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ middle ^ (hash >> 32) ^ text.size()) * 0x94D049BB133111EBULL;
  return static_cast<size_t>(hash >> 32);
}

}  // namespace

void strip_spaces(std::string_view text, std::string& out) {
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string && c == '\\' && at + 1 < text.size()) {
      out += c;
      out += text[++at];
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string || static_cast<unsigned char>(c) > ' ') out += c;
  }
}

trace::StringId Names::intern(Text text) {
  if (text.raw.empty()) return 0;
  if (text.escaped) return intern_slowly(text);
  Recent& recent = recent_[short_hash(text.raw) % kRecent];
  if (recent.plain && table_.view(recent.id) == text.raw) return recent.id;
  if (!is_ascii(text.raw)) return intern_slowly(text);
  recent = {table_.intern(text.raw), true};
  return recent.id;
}

trace::StringId Names::intern_slowly(Text text) {
  scratch_.clear();
  Mending mending;
  decode(text, scratch_, mending);
  if (mending.bad_escape) problems_.add("invalid_escape", "a backslash that begins no JSON escape was kept as it is");
  if (mending.bad_utf8) problems_.add("invalid_utf8", "bytes of a name that are not UTF-8 were replaced");
  return table_.intern(scratch_);
}

trace::StringId Names::intern_list(const Value& value) {
  const trace::StringId raw = raw_lists_.intern(value.text.raw);
  if (raw == 0) return 0;
  if (raw < list_ids_.size() && list_ids_[raw] != 0) return list_ids_[raw];
  std::string decoded;
  std::string stripped;
  Mending mending;
  // A quoted list has its escapes resolved; a list in the open keeps those of its strings.
  decode({value.text.raw, value.kind == Value::Kind::string && value.text.escaped}, decoded, mending);
  if (mending.bad_utf8) problems_.add("invalid_utf8", "bytes of a name that are not UTF-8 were replaced");
  strip_spaces(decoded, stripped);
  list_ids_.resize(raw_lists_.size(), 0);
  return list_ids_[raw] = table_.intern(stripped);
}

}  // namespace td::formats::chrome
