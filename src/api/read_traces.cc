#include "api/read_traces.h"

#include <algorithm>
#include <optional>

#include "analysis/read.h"
#include "formats/format.h"

namespace td::api {
namespace {

constexpr int64_t kMaxFactsBytes = int64_t{1} << 20;

// One file of the request: its ranks, or why there are none.
struct OneFile {
  std::string name;
  std::vector<trace::RankTrace> ranks;
  std::optional<Error> error;
};

// "rank3.json.gz", "rank-12.Apr_03.pt.trace.json": the number behind the word. -1 if there is none.
int32_t rank_in_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  size_t at = name.find("rank");
  if (at == std::string_view::npos) return -1;
  at += 4;
  if (at < name.size() && (name[at] == '-' || name[at] == '_')) ++at;
  int32_t rank = -1;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9' && rank < 1'000'000; ++at)
    rank = std::max(rank, 0) * 10 + (name[at] - '0');
  return rank;
}

OneFile read_file(const std::string& name, Io& io, Progress& progress) {
  OneFile file{name, {}, {}};
  Result<std::unique_ptr<Source>> source = io.open_source(name);
  if (!source) {
    file.error = std::move(source).error();
    return file;
  }
  Result<std::vector<trace::RankTrace>> ranks = formats::read_any(**source, progress);
  if (!ranks) {
    file.error = std::move(ranks).error();
    return file;
  }
  file.ranks = *std::move(ranks);
  for (trace::RankTrace& rank : file.ranks) {
    rank.file = name;
    if (rank.rank < 0 && file.ranks.size() == 1) rank.rank = rank_in_name(name);
  }
  return file;
}

std::vector<OneFile> read_files(const std::vector<std::string>& names, Io& io) {
  std::vector<OneFile> files(names.size());
  if (names.size() == 1) {
    files[0] = read_file(names[0], io, *io.progress);
    return files;
  }
  const auto total = static_cast<int64_t>(names.size());
  io.progress->report("reading " + std::to_string(total) + " files", 0, total);
  io.executor->parallel_for(names.size(), [&](size_t i) {
    NoProgress silent;  // several at once: a single line cannot follow them
    files[i] = read_file(names[i], io, silent);
  });
  io.progress->report("reading " + std::to_string(total) + " files", total, total);
  return files;
}

// Two files of one rank are two captures, not two ranks: read as one job they would wait for themselves.
void refuse_duplicates(std::vector<OneFile>& files) {
  std::vector<std::pair<int32_t, const OneFile*>> taken;
  for (OneFile& file : files) {
    for (const trace::RankTrace& rank : file.ranks) {
      const auto it = std::ranges::find(taken, rank.rank, &std::pair<int32_t, const OneFile*>::first);
      if (rank.rank < 0 || it == taken.end() || it->second == &file) continue;
      file.error = Error{ErrorCode::invalid_argument,
                         "rank " + std::to_string(rank.rank) + " was given already (" + it->second->name +
                             "); give each rank once, and other captures in a call of their own",
                         file.name};
      break;
    }
    if (file.error) file.ranks.clear();
    for (const trace::RankTrace& rank : file.ranks)
      if (rank.rank >= 0) taken.emplace_back(rank.rank, &file);
  }
}

// The member "facts" of a drill.json, or the file itself if it has none.
Result<analysis::Facts> read_facts(const std::string& path, Io& io) {
  const std::string text = TRY(read_text(path, kMaxFactsBytes, io));
  const Result<Json> json = parse_json(text);
  if (!json) return fail(json.error().code, json.error().message, path);
  const Json& facts = (*json)["facts"];
  Result<analysis::Facts> parsed = analysis::facts_from_json(facts.is_null() ? *json : facts);
  if (!parsed) return fail(parsed.error().code, parsed.error().text(), path);
  return parsed;
}

}  // namespace

Result<std::vector<std::string>> required_names(const Json& request, std::string_view key) {
  std::vector<std::string> names;
  for (const Json& item : request[key].items()) {
    if (item.kind() != Json::Kind::string)
      return fail(ErrorCode::invalid_argument, "\"" + std::string(key) + "\" must hold paths, as strings");
    names.emplace_back(item.as_string());
  }
  if (names.empty()) return fail(ErrorCode::invalid_argument, "\"" + std::string(key) + "\" names no file");
  return names;
}

Result<std::string> read_text(const std::string& path, int64_t max_bytes, Io& io) {
  std::unique_ptr<Source> source = TRY(io.open_source(path));
  std::string text;
  std::string chunk(size_t{64} << 10, '\0');
  while (true) {
    const size_t count = TRY(source->read(chunk));
    if (count == 0) break;
    text.append(chunk, 0, count);
    if (static_cast<int64_t>(text.size()) > max_bytes)
      return fail(ErrorCode::invalid_argument,
                  "more than " + std::to_string(max_bytes >> 20) + " MiB: another file was expected", path);
  }
  return text;
}

Result<ReadTraces> read_traces(const std::vector<std::string>& names, Io& io) {
  std::vector<OneFile> files = read_files(names, io);
  refuse_duplicates(files);

  std::vector<trace::RankTrace> ranks;
  ReadTraces out;
  for (OneFile& file : files) {
    if (file.error) {
      if (files.size() == 1) return std::unexpected(*file.error);
      // The file's own name need not be said twice.
      const std::string& where = file.error->where;
      out.unread.push_back({file.name, where.empty() || where == file.name ? file.error->message : file.error->text()});
      continue;
    }
    out.names.push_back(file.name);
    for (trace::RankTrace& rank : file.ranks) ranks.push_back(std::move(rank));
  }
  if (ranks.empty())
    return fail(out.unread.empty() ? ErrorCode::malformed : ErrorCode::unsupported,
                "none of the " + std::to_string(files.size()) + " files could be read; the first: " +
                    (out.unread.empty() ? std::string("it holds no rank") : out.unread.front().error),
                out.unread.empty() ? files.front().name : out.unread.front().file);
  out.trace = trace::assemble(std::move(ranks));
  return out;
}

Result<analysis::Facts> requested_facts(const Json& request, const trace::Trace& trace, Io& io) {
  analysis::Facts facts;
  if (const std::string path(request["facts"].as_string()); !path.empty()) facts = TRY(read_facts(path, io));
  if (const std::string_view fabric = request["fabric"].as_string(); !fabric.empty()) {
    const Status added = analysis::add_fabric(facts, fabric, trace);
    // Told apart from what is wrong with a file: the request's own member.
    if (!added) return fail(added.error().code, added.error().message, "fabric");
  }
  return facts;
}

analysis::Reading reading_of(ReadTraces&& traces, const analysis::Facts& facts, Io& io) {
  analysis::Reading reading = analysis::read(traces.trace, facts, io.executor);
  reading.files = std::move(traces.names);
  reading.unread_files = std::move(traces.unread);
  return reading;
}

}  // namespace td::api
