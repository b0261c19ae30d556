// Text on its way to a Sink, in large pieces.
#pragma once

#include <string>
#include <string_view>

#include "base/io.h"
#include "base/result.h"
#include "base/units.h"

namespace td::formats::chrome {

class JsonText {
 public:
  explicit JsonText(Sink& sink) : sink_(sink) {}

  JsonText& raw(std::string_view text) {
    buffer_ += text;
    return *this;
  }
  JsonText& integer(int64_t value);
  // Nanoseconds as microseconds with three decimals.
  JsonText& microseconds(TimeNs ns);

  // Takes back the ",\n" behind the last element of a list.
  void end_list();

  // Passes what has gathered on to the sink, once it is worth it. The last two bytes stay, for end_list().
  Status flush_some();
  Status finish();

 private:
  Sink& sink_;
  std::string buffer_;
};

}  // namespace td::formats::chrome
