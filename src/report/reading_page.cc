#include "report/reading_page.h"

#include <algorithm>

namespace td::report {
namespace {

constexpr size_t kTitleColumns = 18;

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return "";
    case Ink::strong:
      return "\x1b[1m";
    case Ink::faint:
      return "\x1b[2m";
    case Ink::compute:
      return "\x1b[34m";
    case Ink::comm:
      return "\x1b[33m";
    case Ink::copy:
      return "\x1b[32m";
    case Ink::idle:
      return "\x1b[90m";
    case Ink::good:
      return "\x1b[32m";
    case Ink::warning:
      return "\x1b[33m";
    case Ink::bad:
      return "\x1b[31m";
  }
  return "";
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

size_t width_of(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if (!is_continuation(text[i])) {
      ++width;
    }
  }
  return width;
}

std::string TextPage::in(Ink ink, std::string_view text) const {
  const std::string_view code = code_of(ink);
  if (!colour_ || code.empty()) return std::string(text);
  return std::string(code) + std::string(text) + "\x1b[0m";
}

void TextPage::section(int number, std::string_view title, std::string_view summary) {
  blank();
  const std::string lead = std::to_string(number) + "  " + left(title, kTitleColumns - 3);
  line(in(Ink::strong, lead) + std::string(summary));
}

void TextPage::wrap(size_t indent, std::string_view lead, std::string_view text) {
  std::string current(lead);
  if (const size_t width = width_of(current); width < indent) current.append(indent - width, ' ');
  bool empty = true;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!empty && width_of(current) + 1 + width_of(word) > columns_) {
      line(current);
      current.assign(indent, ' ');
      empty = true;
    }
    if (!empty) current += ' ';
    current += word;
    empty = false;
  }
  line(current);
}

std::string TextPage::left(std::string_view text, size_t width) {
  std::string out(text);
  if (width_of(out) > width) {
    const size_t keep = width > 3 ? width - 3 : width;
    while (!out.empty() && width_of(out) > keep) {
      while (!out.empty() && is_continuation(out.back())) out.pop_back();
      out.pop_back();
    }
    if (width > 3) out += "...";
  }
  out.append(width - std::min(width, width_of(out)), ' ');
  return out;
}

std::string TextPage::right(std::string_view text, size_t width) {
  const size_t used = width_of(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

void TextTable::print(TextPage& page, size_t indent) const {
  if (rows_.empty()) return;
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t width = width_of(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, width_of(row[c]));
    widths.push_back(width);
  }
  const auto render = [&](auto cell_of) {
    std::string out(indent, ' ');
    for (size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = cell_of(c);
      if (c > 0) out += "  ";
      out +=
          columns_[c].numeric ? TextPage::right(cell, widths[c]) : cell + std::string(widths[c] - width_of(cell), ' ');
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
  };
  page.line(page.in(Ink::faint, render([&](size_t c) -> const std::string& { return columns_[c].title; })));
  for (const auto& row : rows_) page.line(render([&](size_t c) -> const std::string& { return row[c]; }));
}

}  // namespace td::report
