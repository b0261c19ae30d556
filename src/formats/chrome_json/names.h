// Strings of the file -> ids of the trace's table, with little copying: a name seen before costs one comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/chrome_json/scanner.h"
#include "formats/problems.h"
#include "trace/string_table.h"

namespace td::formats::chrome {

class Names {
 public:
  // Both must outlive this.
  Names(trace::StringTable& table, Problems& problems) : table_(table), problems_(problems), recent_(kRecent) {}

  // The decoded string's id.
  trace::StringId intern(Text text);

  // A list as one string without the white space outside its strings: "[[8192, 4096], []]" -> "[[8192,4096],[]]".
  trace::StringId intern_list(const Value& value);

  // A value as one string, e.g. "Process Group Name": text of a string, else as it stands.
  trace::StringId intern_value(const Value& value) { return intern(value.text); }

 private:
  struct Recent {
    trace::StringId id = 0;
    bool plain = false;
  };
  static constexpr size_t kRecent = 4096;

  trace::StringId intern_slowly(Text text);

  trace::StringTable& table_;
  Problems& problems_;
  std::vector<Recent> recent_;  // by a hash of a few bytes; only strings that stand in the file as they are
  trace::StringTable raw_lists_;
  std::vector<trace::StringId> list_ids_;  // by raw_lists_ id
  std::string scratch_;
};

// `text` without white space outside of its strings.
void strip_spaces(std::string_view text, std::string& out);

}  // namespace td::formats::chrome
