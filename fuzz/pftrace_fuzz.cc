// Any bytes through the pftrace reader, in chunks of a size that the first byte picks: it must not crash, what it reads
// must be a sound trace, and nothing on its timeline may be lost when it is written and read again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "formats/format.h"
#include "formats/pftrace/reader.h"
#include "formats/pftrace/writer.h"
#include "trace/check_trace.h"

namespace {

using td::trace::RankTrace;

[[noreturn]] void report(const char* what, const std::string& detail) {
  std::fprintf(stderr, "pftrace_fuzz: %s: %s\n", what, detail.c_str());
  std::abort();
}

td::Result<std::vector<RankTrace>> read(std::string_view bytes, size_t chunk) {
  td::MemorySource source(bytes, "fuzz.pftrace", chunk);
  td::NoProgress progress;
  return td::formats::perfetto::read(source, progress);
}

// Slices of all ranks. What other writers say in ways of their own (an empty arg, a category of theirs) need not come
// back as it was; nothing that has a place on the timeline may be lost.
size_t slices_of(const std::vector<RankTrace>& ranks) {
  size_t out = 0;
  for (const RankTrace& rank : ranks) out += rank.slice_count();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto first = read({reinterpret_cast<const char*>(data) + 1, size - 1}, data[0] % 16 + 1U);
  if (!first) return 0;
  const auto violations =
      check_trace(td::trace::assemble(std::vector<RankTrace>(*first)), td::trace::Strictness::recorded);
  if (!violations.empty()) report(violations[0].rule.c_str(), violations[0].text);
  std::vector<const RankTrace*> pointers;
  for (const RankTrace& rank : *first) pointers.push_back(&rank);
  std::string written;
  td::StringSink sink(written);
  // Clocks that are too far apart for one file are an error, said as such.
  if (!td::formats::perfetto::write(pointers, sink)) return 0;
  const auto second = read(written, SIZE_MAX);
  if (!second) report("read again", second.error().text());
  if (second->size() != first->size() || slices_of(*second) != slices_of(*first))
    report("written and read again, the ranks differ",
           std::to_string(slices_of(*first)) + " slices, then " + std::to_string(slices_of(*second)));
  return 0;
}
