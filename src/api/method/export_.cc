#include <vector>

#include "api/method.h"
#include "api/request.h"
#include "drill/drill.h"

namespace td::api::method {
namespace {

Result<const formats::Format*> format_of(const Json& request) {
  return writable_format(request["format"].as_string("chrome_json"));
}

Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const formats::Format* format = TRY(format_of(request));
  const drill::Exercise exercise = TRY(drill::open_drill(name));
  std::vector<const trace::RankTrace*> ranks;
  for (const trace::RankTrace& rank : exercise.trace.ranks) ranks.push_back(&rank);
  Reply reply;
  StringSink sink(reply.blob);
  TRY_OK(format->write(ranks, sink));
  reply.json
      .set("file_name",
           Json::string(name.deck->name() + "-" + std::to_string(name.seed) + "." + std::string(format->extension)))
      .set("media_type", Json::string(format->media_type));
  return reply;
}

Result<std::string> cache_key(const Json& request) {
  const drill::DrillName name = TRY(required_drill(request));
  const formats::Format* format = TRY(format_of(request));
  return drill::to_string(name) + " " + std::string(format->id);
}

}  // namespace

// `export` is a keyword; the build takes the function's name from the file's.
Method export_() {  // NOLINT(readability-identifier-naming)
  return {.name = "export",
          .summary = "The timeline of a drill as one file, all ranks",
          .for_pages = true,
          .simulates = true,
          .handle = handle,
          .cache_key = cache_key};
}

}  // namespace td::api::method
