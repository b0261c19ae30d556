// Traces by name, as the methods that read them take them: one job's files, its facts, its reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts.h"
#include "analysis/reading.h"
#include "api/api.h"
#include "trace/trace.h"

namespace td::api {

// One job's files: ranks in order, what could be read by name, what could not and why.
struct ReadTraces {
  trace::Trace trace;
  std::vector<std::string> names;
  std::vector<analysis::UnreadFile> unread;
};

// The strings of the member `key`; invalid_argument if it holds something else or nothing.
Result<std::vector<std::string>> required_names(const Json& request, std::string_view key);

// Reads each file as a rank (or several) of one job. The error of the only file, or that none could be read; else files
// that could not be read stand in `unread`. A rank that was given twice is refused.
Result<ReadTraces> read_traces(const std::vector<std::string>& names, Io& io);

// The whole text of a file of at most `max_bytes`.
Result<std::string> read_text(const std::string& path, int64_t max_bytes, Io& io);

// The facts of a request: its members "facts" (a drill.json, or its facts alone) and "fabric" (a text, sized by
// `trace`). An error about the fabric has `where` = "fabric".
Result<analysis::Facts> requested_facts(const Json& request, const trace::Trace& trace, Io& io);

// A reading of them, with the files' names.
analysis::Reading reading_of(ReadTraces&& traces, const analysis::Facts& facts, Io& io);

}  // namespace td::api
