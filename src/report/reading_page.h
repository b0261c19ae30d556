// Lines of text with a left edge, wrapping and columns: what reading_text is set with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace td::report {

enum class Ink : uint8_t { plain, strong, faint, compute, comm, copy, idle, good, warning, bad };

// Terminal columns that a text takes: UTF-8 characters, escapes not counted.
size_t width_of(std::string_view text);

class TextPage {
 public:
  TextPage(bool colour, size_t columns) : colour_(colour), columns_(columns) {}

  [[nodiscard]] size_t columns() const { return columns_; }
  // The text in an ink; the text itself without colours.
  [[nodiscard]] std::string in(Ink ink, std::string_view text) const;

  void blank() { out_ += '\n'; }
  void line(std::string_view text) { (out_ += text) += '\n'; }
  // "2  Gap ledger    summary": a section's first line.
  void section(int number, std::string_view title, std::string_view summary);
  // Words of `text` from column `indent` on, the first line led by `lead` (which ends at `indent`).
  void wrap(size_t indent, std::string_view lead, std::string_view text);

  // `text` in `width` columns; cut with "..." if it is longer.
  static std::string left(std::string_view text, size_t width);
  static std::string right(std::string_view text, size_t width);

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  bool colour_;
  size_t columns_;
  std::string out_;
};

// A table: columns as wide as their cells, right-aligned where `numeric`.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool numeric = false;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Prints it from column `indent` on; nothing without rows.
  void print(TextPage& page, size_t indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace td::report
