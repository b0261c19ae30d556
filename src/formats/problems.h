// What a file held and the trace does not, or holds only after mending: one line a kind, with the first place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace td::formats {

class Problems {
 public:
  // Where the reader stands; used by the next add().
  void set_place(int64_t event_index, int64_t byte_offset) {
    event_ = event_index;
    byte_ = byte_offset;
  }

  // Counts one more of `id`. `text` is kept from the first: what happened, without a full stop.
  void add(std::string_view id, std::string_view text, int64_t count = 1);
  // The same for what belongs to no single event.
  void add_global(std::string_view id, std::string_view text, int64_t count = 1);

  [[nodiscard]] bool has(std::string_view id) const;
  // Sorted by id.
  [[nodiscard]] std::vector<trace::LoadProblem> sorted() const;

 private:
  trace::LoadProblem* find(std::string_view id);

  int64_t event_ = 0;
  int64_t byte_ = 0;
  std::vector<trace::LoadProblem> list_;
};

}  // namespace td::formats
