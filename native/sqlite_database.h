// An SQLite file as a Database: read only, nothing in it is run but the reading of its tables.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/io.h"

struct sqlite3;

namespace td::native {

// True if the bytes begin as an SQLite file does.
bool is_sqlite(std::string_view first_bytes);

class SqliteDatabase final : public Database {
 public:
  // Files are hostile until shown otherwise: no extension, no view, no trigger, no function that the schema names, no
  // other file, no cell over 64 MiB. malformed if it is no SQLite file, io if it cannot be opened.
  static Result<std::unique_ptr<SqliteDatabase>> open_file(const std::string& path);
  // The same over bytes in memory, which must outlive it. `name` is for messages.
  static Result<std::unique_ptr<SqliteDatabase>> open_memory(std::string_view bytes, std::string name);
  ~SqliteDatabase() override;
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  Result<std::vector<std::string>> columns(std::string_view table) override;
  Status each_row(std::string_view table, std::span<const std::string_view> columns,
                  const std::function<bool(const Row&)>& visit) override;

 private:
  SqliteDatabase(sqlite3* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  Status lock_down();
  [[nodiscard]] std::unexpected<Error> failed(const std::string& what) const;

  sqlite3* handle_;
  std::string name_;
};

// Bytes in memory (not owned) that may be an SQLite file.
class MemoryFile final : public Source {
 public:
  MemoryFile(std::string_view bytes, std::string name) : bytes_(bytes), source_(bytes, std::move(name)) {}
  Result<size_t> read(std::span<char> into) override { return source_.read(into); }
  [[nodiscard]] std::string_view name() const override { return source_.name(); }
  [[nodiscard]] int64_t size_bytes() const override { return source_.size_bytes(); }
  Result<Database*> database() override;

 private:
  std::string_view bytes_;
  MemorySource source_;
  std::unique_ptr<SqliteDatabase> database_;
};

}  // namespace td::native
