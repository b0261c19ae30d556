#include "trace/string_table.h"

namespace td::trace {
namespace {

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash ^ (hash >> 29);
}

}  // namespace

StringTable::StringTable() : ends_{0}, slots_(64, 0) {}

std::string_view StringTable::view(StringId id) const {
  if (id == 0 || id >= ends_.size()) return {};
  return std::string_view(bytes_).substr(ends_[id - 1], ends_[id] - ends_[id - 1]);
}

size_t StringTable::slot_of(std::string_view text) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash_of(text) & mask;
  while (slots_[slot] != 0 && view(slots_[slot]) != text) slot = (slot + 1) & mask;
  return slot;
}

StringId StringTable::find(std::string_view text) const { return text.empty() ? 0 : slots_[slot_of(text)]; }

StringId StringTable::intern(std::string_view text) {
  if (text.empty()) return 0;
  size_t slot = slot_of(text);
  if (slots_[slot] != 0) return slots_[slot];
  if (ends_.size() * 2 > slots_.size()) {
    grow();
    slot = slot_of(text);
  }
  bytes_.append(text);
  ends_.push_back(bytes_.size());
  const auto id = static_cast<StringId>(ends_.size() - 1);
  slots_[slot] = id;
  return id;
}

void StringTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (StringId id = 1; id < ends_.size(); ++id) slots_[slot_of(view(id))] = id;
}

}  // namespace td::trace
