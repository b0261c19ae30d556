// Perfetto's native protobuf trace; docs/formats/pftrace.md says what is read, dropped and written.
#include <algorithm>

#include "formats/format.h"
#include "formats/pftrace/reader.h"
#include "formats/pftrace/wire.h"
#include "formats/pftrace/writer.h"

namespace td::formats {
namespace {

// A packet's tag and length, then a field that a packet can begin with.
bool sniff_pftrace(std::string_view first_bytes) {
  if (first_bytes.size() < 4 || first_bytes.front() != '\x0a') return false;
  size_t at = 1;
  while (at < 6 && at < first_bytes.size() && (static_cast<unsigned char>(first_bytes[at]) & 128U) != 0) ++at;
  perfetto::Fields inner(first_bytes.substr(std::min(at + 1, first_bytes.size()), 64));
  return inner.next() && !inner.broken() && inner.field() < 1000;
}

}  // namespace

Format pftrace() {
  return {.id = "pftrace",
          .title = "Perfetto protobuf",
          .precedence = 30,
          .extension = "pftrace",
          .media_type = "application/x-protobuf",
          .sniff = sniff_pftrace,
          .read = perfetto::read,
          .write = perfetto::write};
}

}  // namespace td::formats
