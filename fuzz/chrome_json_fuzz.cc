// Any bytes through the chrome_json reader, in chunks of a size that the first byte picks: it must not crash, what it
// reads must be a sound trace, and must survive being written and read again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "formats/format.h"
#include "trace/check_trace.h"
#include "trace/dump.h"
#include "trace/trace.h"

namespace {

using td::trace::RankTrace;

[[noreturn]] void report(const char* what, const std::string& detail) {
  std::fprintf(stderr, "chrome_json_fuzz: %s: %s\n", what, detail.c_str());
  std::abort();
}

const td::formats::Format& format() {
  for (const td::formats::Format& known : td::formats::registered_formats())
    if (known.id == "chrome_json") return known;
  report("format", "chrome_json is not registered");
}

td::Result<std::vector<RankTrace>> read(std::string_view bytes, size_t chunk) {
  td::MemorySource source(bytes, "fuzz.json", chunk);
  td::NoProgress progress;
  return format().read(source, progress);
}

std::string write(const std::vector<RankTrace>& ranks) {
  std::vector<const RankTrace*> pointers;
  for (const RankTrace& rank : ranks) pointers.push_back(&rank);
  std::string out;
  td::StringSink sink(out);
  const td::Status status = format().write(pointers, sink);
  if (!status) report("write", status.error().text());
  return out;
}

void check_sound(const std::vector<RankTrace>& ranks) {
  const td::trace::Trace trace = td::trace::assemble(std::vector<RankTrace>(ranks));
  const auto violations = check_trace(trace, td::trace::Strictness::recorded);
  if (!violations.empty()) report(violations[0].rule.c_str(), violations[0].text);
}

// The ranks without what a file does not carry over.
std::string portable(std::vector<RankTrace> ranks) {
  std::string out;
  for (RankTrace& rank : ranks) {
    rank.problems.clear();
    rank.base_time_ns += rank.file_origin_ns;
    rank.file_origin_ns = 0;
    out += dump(rank);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t chunk = data[0] % 16 + 1U;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  (void)format().sniff(bytes);
  const auto first = read(bytes, chunk);
  if (!first) return 0;
  check_sound(*first);
  const std::string written = write(*first);
  const auto second = read(written, SIZE_MAX);
  if (!second) report("read again", second.error().text());
  if (portable(*second) != portable(*first))
    report("written and read again, the ranks differ", "\n" + portable(*first) + "---\n" + portable(*second));
  if (write(*second) != written) report("written a second time, the bytes differ", written);
  return 0;
}
