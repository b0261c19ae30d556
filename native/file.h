// Files as Source and Sink.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "base/io.h"
#include "native/sqlite_database.h"

namespace td::native {

class FileSource final : public Source {
 public:
  // not_found if there is no such file, io if it cannot be opened (a directory, no permission). "-" is standard input.
  static Result<std::unique_ptr<FileSource>> open(const std::string& path);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<size_t> read(std::span<char> into) override;
  [[nodiscard]] std::string_view name() const override { return path_; }
  [[nodiscard]] int64_t size_bytes() const override { return size_bytes_; }
  // Opened at the first call, from a regular file only; what read() has given makes no difference.
  Result<Database*> database() override;

 private:
  FileSource(int descriptor, std::string path, int64_t size_bytes)
      : descriptor_(descriptor), path_(std::move(path)), size_bytes_(size_bytes) {}

  int descriptor_;
  std::string path_;
  int64_t size_bytes_;  // -1 for pipes
  std::unique_ptr<SqliteDatabase> database_;
};

// Writes beside the target and renames on finish(), so a reader never meets half a file. Without finish() nothing is
// left behind. "-" is standard output.
class FileSink final : public Sink {
 public:
  static Result<std::unique_ptr<FileSink>> create(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  Status write(std::string_view bytes) override;
  Status finish() override;  // a second time changes nothing

 private:
  FileSink(int descriptor, std::string path, std::string temporary)
      : descriptor_(descriptor), path_(std::move(path)), temporary_(std::move(temporary)) {}

  int descriptor_;
  std::string path_;
  std::string temporary_;  // empty for standard output
};

}  // namespace td::native
