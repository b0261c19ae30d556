#include "native/sqlite_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <vector>

namespace td::native {
namespace {

constexpr int kMaxCellBytes = 64 << 20;
constexpr int kMaxColumns = 2000;
constexpr std::string_view kMagic("SQLite format 3\0", 16);

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

class SqliteRow final : public Row {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}
  [[nodiscard]] bool is_null(size_t column) const override {
    return sqlite3_column_type(statement_, static_cast<int>(column)) == SQLITE_NULL;
  }
  [[nodiscard]] int64_t integer(size_t column) const override {
    return sqlite3_column_int64(statement_, static_cast<int>(column));
  }
  [[nodiscard]] double real(size_t column) const override {
    return sqlite3_column_double(statement_, static_cast<int>(column));
  }
  [[nodiscard]] std::string_view text(size_t column) const override {
    const auto index = static_cast<int>(column);
    const unsigned char* text = sqlite3_column_text(statement_, index);
    if (text == nullptr) return {};
    return {reinterpret_cast<const char*>(text), static_cast<size_t>(sqlite3_column_bytes(statement_, index))};
  }

 private:
  sqlite3_stmt* statement_;
};

std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

// A path as SQLite's file: address, every byte but the plainest escaped.
std::string address_of(const std::string& path) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '_';
    if (plain) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out + "?immutable=1";
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

bool is_sqlite(std::string_view first_bytes) { return first_bytes.starts_with(kMagic); }

std::unexpected<Error> SqliteDatabase::failed(const std::string& what) const {
  return fail(sqlite3_errcode(handle_) == SQLITE_NOMEM ? ErrorCode::io : ErrorCode::malformed,
              what + ": " + sqlite3_errmsg(handle_), name_);
}

Status SqliteDatabase::lock_down() {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, kMaxCellBytes);
  sqlite3_limit(handle_, SQLITE_LIMIT_COLUMN, kMaxColumns);
  sqlite3_limit(handle_, SQLITE_LIMIT_ATTACHED, 0);
  // The first look at the schema tells whether this is a database at all.
  if (sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr) != SQLITE_OK)
    return failed("not a readable SQLite file");
  return {};
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open_file(const std::string& path) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(address_of(path).c_str(), &handle,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (handle == nullptr) return fail(ErrorCode::io, "no memory to open the database", path);
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(handle, path));
  if (opened != SQLITE_OK) return fail(ErrorCode::io, std::string("cannot open: ") + sqlite3_errmsg(handle), path);
  TRY_OK(database->lock_down());
  return database;
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open_memory(std::string_view bytes, std::string name) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (handle == nullptr) return fail(ErrorCode::io, "no memory to open the database", name);
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(handle, std::move(name)));
  if (opened != SQLITE_OK) return database->failed("cannot open");
  // Read only: SQLite does not write through the pointer.
  auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (sqlite3_deserialize(handle, "main", data, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
    return database->failed("not a readable SQLite file");
  TRY_OK(database->lock_down());
  return database;
}

SqliteDatabase::~SqliteDatabase() { sqlite3_close(handle_); }

Result<std::vector<std::string>> SqliteDatabase::columns(std::string_view table) {
  sqlite3_stmt* raw = nullptr;
  constexpr const char* kFind =
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE AND sql NOT LIKE 'CREATE "
      "VIRTUAL%'";
  if (sqlite3_prepare_v2(handle_, kFind, -1, &raw, nullptr) != SQLITE_OK) return failed("cannot read the schema");
  const Statement find(raw);
  sqlite3_bind_text(find.get(), 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  const int found = sqlite3_step(find.get());
  if (found == SQLITE_DONE) return std::vector<std::string>();
  if (found != SQLITE_ROW) return failed("cannot read the schema");

  const std::string all = "SELECT * FROM " + quoted(table) + " LIMIT 0";
  if (sqlite3_prepare_v2(handle_, all.c_str(), -1, &raw, nullptr) != SQLITE_OK)
    return failed("cannot read table " + std::string(table));
  const Statement statement(raw);
  std::vector<std::string> out;
  for (int i = 0; i < sqlite3_column_count(statement.get()); ++i)
    out.emplace_back(sqlite3_column_name(statement.get(), i));
  return out;
}

Status SqliteDatabase::each_row(std::string_view table, std::span<const std::string_view> columns,
                                const std::function<bool(const Row&)>& visit) {
  const std::vector<std::string> present = TRY(this->columns(table));
  if (present.empty()) return {};
  std::string select = "SELECT ";
  for (const std::string_view column : columns) {
    const bool known = std::ranges::any_of(present, [&](std::string_view name) { return same_name(name, column); });
    if (select.size() > 7) select += ", ";
    select += known ? quoted(column) : "NULL";
  }
  select += " FROM " + quoted(table);
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_, select.c_str(), -1, &raw, nullptr) != SQLITE_OK)
    return failed("cannot read table " + std::string(table));
  const Statement statement(raw);
  const SqliteRow row(statement.get());
  while (true) {
    const int stepped = sqlite3_step(statement.get());
    if (stepped == SQLITE_DONE) return {};
    if (stepped != SQLITE_ROW) return failed("cannot read table " + std::string(table));
    if (!visit(row)) return {};
  }
}

Result<Database*> MemoryFile::database() {
  if (!database_ && is_sqlite(bytes_))
    database_ = TRY(SqliteDatabase::open_memory(bytes_, std::string(source_.name())));
  return database_.get();
}

}  // namespace td::native
