#include <vector>

#include "api/method.h"
#include "api/request.h"
#include "drill/drill.h"

namespace td::api::method {
namespace {

Result<Reply> handle(const Json& request, Io&) {
  const drill::DrillName name = TRY(required_drill(request));
  const formats::Format* format = TRY(writable_format(request["format"].as_string("chrome_json")));
  const drill::Exercise exercise = TRY(drill::open_drill(name));
  std::vector<const trace::RankTrace*> ranks;
  for (const trace::RankTrace& rank : exercise.trace.ranks) ranks.push_back(&rank);
  Reply reply;
  StringSink sink(reply.blob);
  TRY_OK(format->write(ranks, sink));
  reply.json.set("file_name", Json::string(name.deck->name() + "-" + std::to_string(name.seed) + ".json"))
      .set("media_type", Json::string("application/json"));
  return reply;
}

}  // namespace

// `export` is a keyword; the build takes the function's name from the file's.
Method export_() {
  return {.name = "export",
          .summary = "The timeline of a drill as one file, all ranks",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
