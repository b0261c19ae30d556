// The file as a whole: top-level keys, the list of events wherever it stands, and going on after what is broken.
#pragma once

#include <string>

#include "base/io.h"
#include "base/result.h"
#include "formats/chrome_json/header.h"
#include "formats/chrome_json/mapper.h"
#include "formats/chrome_json/window.h"

namespace td::formats::chrome {

class EventReader {
 public:
  EventReader(Source& source, Progress& progress) : window_(source, progress) {}

  // Reads to the end. Errors: io and cancelled as Window::load; what is wrong in the file becomes a problem.
  Status run();

  Mapped& mapped() { return mapper_.mapped(); }
  Header& header() { return header_; }
  [[nodiscard]] bool saw_events() const { return saw_events_; }
  [[nodiscard]] bool any_bytes() const { return window_.any_bytes(); }

 private:
  // What a step of a list or object found.
  enum class Step : uint8_t { go_on, closed, end_of_bytes };

  Status read_object(int depth);
  Result<bool> read_member(int depth);
  Result<std::string> read_key();
  Status read_value_of(const std::string& key, int depth);
  // The list at the cursor's '['. A bare list needs no closing bracket: the format says so.
  Status read_events(bool bare);
  Result<Step> read_event();
  Result<Step> resynchronise();
  // Consumes one value of any length, byte by byte through the windows; into `out` as far as it is wanted.
  Result<bool> consume_value(std::string* out);
  Result<bool> skip_to_token();

  Window window_;
  Mapper mapper_;
  Header header_;
  Event event_;
  bool saw_events_ = false;
  bool ended_inside_ = false;  // the bytes ended before everything was closed
};

}  // namespace td::formats::chrome
