// Each distinct string of a trace once, by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace td::trace {

// Index into a StringTable; 0 is always the empty string.
using StringId = uint32_t;

class StringTable {
 public:
  StringTable();

  // The id of `text`, added if new. Ids count up from 1 in order of first use.
  StringId intern(std::string_view text);

  // The string; valid until the next intern(). An id that was never given out yields "".
  [[nodiscard]] std::string_view view(StringId id) const;

  // The id of `text`, or 0 if it is empty or unknown.
  [[nodiscard]] StringId find(std::string_view text) const;

  [[nodiscard]] size_t size() const { return ends_.size(); }

 private:
  [[nodiscard]] size_t slot_of(std::string_view text) const;
  void grow();

  std::string bytes_;            // all strings end to end
  std::vector<uint64_t> ends_;   // ends_[id] = end of string id in bytes_
  std::vector<StringId> slots_;  // open addressing, a power of two; 0 = free
};

}  // namespace td::trace
