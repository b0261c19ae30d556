#include "formats/problems.h"

#include <algorithm>

namespace td::formats {

trace::LoadProblem* Problems::find(std::string_view id) {
  const auto it = std::ranges::find(list_, id, &trace::LoadProblem::id);
  return it == list_.end() ? nullptr : &*it;
}

bool Problems::has(std::string_view id) const {
  return std::ranges::find(list_, id, &trace::LoadProblem::id) != list_.end();
}

void Problems::add(std::string_view id, std::string_view text, int64_t count) {
  if (trace::LoadProblem* known = find(id)) {
    known->count += count;
    return;
  }
  std::string with_place(text);
  with_place += "; first at event " + std::to_string(event_) + " (byte " + std::to_string(byte_) + ")";
  list_.push_back({std::string(id), std::move(with_place), count});
}

void Problems::add_global(std::string_view id, std::string_view text, int64_t count) {
  if (trace::LoadProblem* known = find(id)) {
    known->count += count;
    return;
  }
  list_.push_back({std::string(id), std::string(text), count});
}

std::vector<trace::LoadProblem> Problems::sorted() const {
  std::vector<trace::LoadProblem> out = list_;
  std::ranges::sort(out, {}, &trace::LoadProblem::id);
  return out;
}

}  // namespace td::formats
