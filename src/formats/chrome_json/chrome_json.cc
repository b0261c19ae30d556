// The reader and writer of Chrome / Kineto JSON; docs/formats/chrome_json.md says what is read, dropped and written.
#include <string>

#include "formats/chrome_json/event_reader.h"
#include "formats/chrome_json/finish.h"
#include "formats/chrome_json/pairs.h"
#include "formats/chrome_json/writer.h"
#include "formats/content_name.h"
#include "formats/format.h"

namespace td::formats {
namespace {

// True for "[{", "[", "[,{", "[ ]": a bare list of events, and not a list of lists or numbers.
bool looks_like_event_list(std::string_view text) {
  text = skip_front(text.substr(1));
  while (text.starts_with(',')) text = skip_front(text.substr(1));
  return text.empty() || text.front() == '{' || text.front() == ']';
}

bool sniff_chrome_json(std::string_view first_bytes) {
  const std::string_view text = skip_front(first_bytes);
  if (text.starts_with('[')) return looks_like_event_list(text);
  if (!text.starts_with('{')) return false;
  if (text.find("\"traceEvents\"") != std::string_view::npos) return true;
  // Kineto may put more than the sniffed bytes of device properties and metadata in front.
  const std::string_view key = first_json_key(text);
  return key == "schemaVersion" || key == "deviceProperties" || key == "displayTimeUnit" || key == "distributedInfo";
}

std::unexpected<Error> nothing_to_read(chrome::EventReader& reader, std::string_view name) {
  const std::string where(name);
  if (!reader.any_bytes())
    return fail(ErrorCode::malformed, "the file is empty (0 bytes), expected a Chrome trace", where);
  if (!reader.saw_events()) {
    std::string keys;
    for (const std::string& key : reader.header().keys)
      if (key == "traceEvents")
        return fail(ErrorCode::malformed, "the value of \"traceEvents\" is no list of events", where);
    for (const std::string& key : reader.header().keys) keys += (keys.empty() ? "{\"" : ", \"") + key + "\":";
    return fail(ErrorCode::unsupported,
                keys.empty() ? "no Chrome trace: expected an object with \"traceEvents\" or a list of events"
                             : "no Chrome trace: " + name_content(keys + " ..."),
                where);
  }
  const chrome::Mapped& mapped = reader.mapped();
  std::string message = "no timed events: traceEvents has " + std::to_string(mapped.event_count) + " elements, " +
                        std::to_string(mapped.metadata_count) + " of them names of processes and threads";
  for (const trace::LoadProblem& problem : mapped.problems.sorted())
    message += "; " + problem.id + ": " + std::to_string(problem.count);
  return fail(ErrorCode::malformed, std::move(message), where);
}

Result<std::vector<trace::RankTrace>> read_chrome_json(Source& source, Progress& progress) {
  chrome::EventReader reader(source, progress);
  TRY_OK(reader.run());
  chrome::Mapped& mapped = reader.mapped();
  chrome::pair_begin_ends(mapped);
  if (mapped.builder.slice_count() == 0 && mapped.builder.header().counters.empty())
    return nothing_to_read(reader, source.name());
  return chrome::finish(mapped, reader.header(), source.name());
}

}  // namespace

Format chrome_json() {
  return {.id = "chrome_json",
          .title = "Chrome / Kineto JSON",
          .precedence = 10,
          .extension = "json",
          .media_type = "application/json",
          .sniff = sniff_chrome_json,
          .read = read_chrome_json,
          .write = chrome::write};
}

}  // namespace td::formats
