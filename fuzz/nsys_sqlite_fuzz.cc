// Any bytes as an SQLite file through the nsys_sqlite reader: it must not crash or hang, and what it reads must be a
// sound trace.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "formats/format.h"
#include "native/sqlite_database.h"
#include "trace/check_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  td::native::MemoryFile file(bytes, "fuzz.sqlite");
  td::NoProgress progress;
  auto ranks = td::formats::read_any(file, progress);
  if (!ranks) return 0;
  const auto violations = check_trace(td::trace::assemble(*std::move(ranks)), td::trace::Strictness::recorded);
  if (violations.empty()) return 0;
  std::fprintf(stderr, "nsys_sqlite_fuzz: %s: %s\n", violations[0].rule.c_str(), violations[0].text.c_str());
  std::abort();
}
