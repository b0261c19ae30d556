// The reader of Nsight Systems SQLite exports; docs/formats/nsys_sqlite.md says what is read and dropped.
#include <string>

#include "formats/format.h"
#include "formats/nsys_sqlite/mapper.h"
#include "formats/nsys_sqlite/session.h"

namespace td::formats {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);

bool sniff_nsys(std::string_view first_bytes) { return first_bytes.starts_with(kMagic); }

Result<std::vector<trace::RankTrace>> read_nsys(Source& source, Progress& progress) {
  const std::string name(source.name());
  Database* database = TRY(source.database());
  if (database == nullptr)
    return fail(
        ErrorCode::unsupported,
        "an SQLite database can be read from a plain file only: not packed, not from a pipe, not in the browser", name);
  if (TRY(database->columns("StringIds")).empty())
    return fail(ErrorCode::unsupported,
                "an SQLite database without the table StringIds: expected an Nsight Systems export (nsys export --type "
                "sqlite)",
                name);
  const nsys::Session session = TRY(nsys::Session::load(*database));
  nsys::Mapper mapper(*database, session, progress, name);
  TRY_OK(mapper.run());
  std::vector<trace::RankTrace> ranks = mapper.finish();
  if (ranks.empty())
    return fail(ErrorCode::malformed,
                "an Nsight Systems export without events: capture with nsys profile --trace=cuda,nvtx,osrt", name);
  return ranks;
}

}  // namespace

Format nsys_sqlite() {
  return {.id = "nsys_sqlite",
          .title = "Nsight Systems SQLite",
          .precedence = 20,
          .sniff = sniff_nsys,
          .read = read_nsys,
          .write = nullptr};
}

}  // namespace td::formats
