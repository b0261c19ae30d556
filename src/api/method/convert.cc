#include <string>
#include <vector>

#include "api/method.h"
#include "api/read_traces.h"
#include "api/request.h"
#include "formats/format.h"

namespace td::api::method {
namespace {

// By the end of the name, before a ".gz" that whoever opens the sink sees to.
Result<const formats::Format*> format_by_name(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  std::string known;
  for (const formats::Format& format : formats::registered_formats()) {
    if (format.write == nullptr) continue;
    const std::string ending = "." + std::string(format.extension);
    if (name.ends_with(ending)) return &format;
    known += (known.empty() ? "" : ", ") + ending;
  }
  return fail(
      ErrorCode::invalid_argument,
      quote_short(name) + " does not say its format, expected a name that ends in " + known + " (and perhaps .gz)",
      "out");
}

Result<Reply> handle(const Json& request, Io& io) {
  const std::vector<std::string> names = TRY(required_names(request, "files"));
  const std::string out(TRY(required_string(request, "out")));
  const formats::Format* format = TRY(format_by_name(out));
  const ReadTraces files = TRY(read_traces(names, io));
  std::vector<const trace::RankTrace*> ranks;
  int64_t slices = 0;
  Json problems = Json::array();
  for (const trace::RankTrace& rank : files.trace.ranks) {
    ranks.push_back(&rank);
    slices += static_cast<int64_t>(rank.slice_count());
    for (const trace::LoadProblem& problem : rank.problems)
      problems.push(Json::object()
                        .set("rank", Json::integer(rank.rank))
                        .set("id", Json::string(problem.id))
                        .set("text", Json::string(problem.text))
                        .set("count", Json::integer(problem.count)));
  }
  io.progress->report("writing " + out, 0, -1);
  const std::unique_ptr<Sink> sink = TRY(io.open_sink(out));
  TRY_OK(format->write(ranks, *sink));

  Json unread = Json::array();
  for (const analysis::UnreadFile& file : files.unread)
    unread.push(Json::object().set("file", Json::string(file.file)).set("error", Json::string(file.error)));
  Reply reply;
  reply.json.set("schema_version", Json::integer(1))
      .set("out", Json::string(out))
      .set("format", Json::string(format->id))
      .set("ranks", Json::integer(static_cast<int64_t>(ranks.size())))
      .set("slices", Json::integer(slices))
      .set("problems", std::move(problems))
      .set("unread_files", std::move(unread));
  return reply;
}

}  // namespace

// {"files":[...],"out":NAME}: all ranks of the files in one file of the format that NAME ends in.
Method convert() {
  return {.name = "convert", .summary = "writes traces in another format", .for_pages = false, .handle = handle};
}

}  // namespace td::api::method
