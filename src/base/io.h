// The core's view of the outside: bytes in, bytes out, workers, progress. Native and browser code implement these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace td {

// The current row of a table that is being read; cells by the position of their column in the request. A cell of
// another type is converted as far as its own text or number allows (0, 0.0 and "" otherwise).
class Row {
 public:
  virtual ~Row() = default;
  [[nodiscard]] virtual bool is_null(size_t column) const = 0;
  [[nodiscard]] virtual int64_t integer(size_t column) const = 0;
  [[nodiscard]] virtual double real(size_t column) const = 0;
  [[nodiscard]] virtual std::string_view text(size_t column) const = 0;  // until the next row
};

// Read access to a relational file (SQLite).
class Database {
 public:
  virtual ~Database() = default;
  // Names of the columns of a table; empty if there is no such table (a view is none).
  virtual Result<std::vector<std::string>> columns(std::string_view table) = 0;
  // Calls `visit` for every row, in the file's order, until it returns false. A column that the table does not have
  // reads as null; a table that is not there has no rows.
  virtual Status each_row(std::string_view table, std::span<const std::string_view> columns,
                          const std::function<bool(const Row&)>& visit) = 0;
};

// Bytes read in order, window by window: a file, memory, a gzip stream, a browser chunk.
class Source {
 public:
  virtual ~Source() = default;

  // Fills up to `into.size()` bytes and returns how many; 0 means the end. May return fewer than asked.
  virtual Result<size_t> read(std::span<char> into) = 0;

  // What to call it in messages (a path), and the size if known, else -1.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual int64_t size_bytes() const { return -1; }

  // The content as a database; nullptr where nobody can open one (in the browser, in a pipe, packed). Owned by the
  // source. An error if there is one, and it cannot be read.
  virtual Result<Database*> database() { return nullptr; }
};

// Bytes written in order. finish() must be called once; without it nothing may be kept.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status write(std::string_view bytes) = 0;
  virtual Status finish() = 0;
};

// Runs body(0..count-1), perhaps in parallel; returns when all have run. Bodies must not touch shared state.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void parallel_for(size_t count, const std::function<void(size_t)>& body) = 0;
};

class SerialExecutor final : public Executor {
 public:
  void parallel_for(size_t count, const std::function<void(size_t)>& body) override {
    for (size_t i = 0; i < count; ++i) body(i);
  }
};

// Told how far a long job is; asked whether to go on. Called from one thread at a time.
class Progress {
 public:
  virtual ~Progress() = default;
  // stage: what is being done ("reading rank0.json"). done of total; total -1 if unknown.
  virtual void report(std::string_view stage, int64_t done, int64_t total) = 0;
  [[nodiscard]] virtual bool cancelled() const { return false; }
};

class NoProgress final : public Progress {
 public:
  void report(std::string_view, int64_t, int64_t) override {}
};

// A Source over bytes in memory (not owned; must outlive it).
class MemorySource final : public Source {
 public:
  MemorySource(std::string_view bytes, std::string name, size_t max_chunk = SIZE_MAX)
      : bytes_(bytes), name_(std::move(name)), max_chunk_(max_chunk) {}
  Result<size_t> read(std::span<char> into) override;
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] int64_t size_bytes() const override { return static_cast<int64_t>(bytes_.size()); }

 private:
  std::string_view bytes_;
  std::string name_;
  size_t max_chunk_;  // tests feed a reader tiny chunks
  size_t at_ = 0;
};

// A Sink into a string (not owned).
class StringSink final : public Sink {
 public:
  explicit StringSink(std::string& out) : out_(&out) {}
  Status write(std::string_view bytes) override;
  Status finish() override { return {}; }

 private:
  std::string* out_;
};

}  // namespace td
