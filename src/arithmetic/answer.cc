#include "arithmetic/answer.h"

#include <algorithm>
#include <optional>

#include "arithmetic/number.h"
#include "arithmetic/typed_unit.h"

namespace td::arithmetic {
namespace {

constexpr size_t kLongest = 200;

std::unexpected<Error> bad(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message), "answer");
}

// Small letters, runs of spaces and hyphens as one hyphen, no full stop.
std::string plain_words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' || c == '-' || c == '_' || c == '\t') {
      if (!out.empty() && out.back() != '-') out += '-';
    } else if (c != '.' && c != '!' && c != ',') {
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

bool is_word_of(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

// "$0.33 /Mtok" has lost its sign to the number, and "$0.33" says nothing of the tokens that the question counts.
TypedUnit with_dollars(TypedUnit typed, const Unit& asked) {
  const Dimension dollar = dimension_of(Base::dollar);
  if (asked.dimension.of(Base::dollar) == 0) return typed;
  if (typed.dimension == dollar && !(asked.dimension == dollar)) {
    return {.scale = typed.scale * asked.scale, .dimension = asked.dimension};
  }
  if (typed.dimension.of(Base::dollar) == 0) typed.dimension = typed.dimension * dollar;
  return typed;
}

Result<Answer> parse_verdict(std::string_view text, const Problem& problem) {
  const std::string given = plain_words(text);
  std::string ids;
  for (const Choice& choice : problem.choices) {
    if (given == choice.id || is_word_of(choice.words, given))
      return Answer{.quantity = {}, .verdict = choice.id, .read_as = choice.id};
    ids += (ids.empty() ? "" : " or ") + choice.id;
  }
  return bad(quote_short(text) + ": expected " + ids);
}

}  // namespace

Result<Answer> parse_answer(std::string_view text, const Problem& problem) {
  if (text.size() > kLongest) return bad("longer than 200 bytes: expected a number with a unit, or a verdict");
  if (text.find_first_not_of(" \t") == std::string_view::npos) {
    return bad(problem.asks_verdict() ? "empty: expected a verdict" : "empty: expected " + described(problem.unit));
  }
  if (problem.asks_verdict()) return parse_verdict(text, problem);
  const Result<Number> number = parse_number(text);
  if (!number) {
    Error error = number.error();
    error.message += "; this asks for " + described(problem.unit);
    return std::unexpected(std::move(error));
  }
  Answer answer;
  answer.quantity.dimension = problem.unit.dimension;
  if (number->rest.empty()) {
    const bool fraction = problem.unit.symbol == "%" && number->value <= 1;
    answer.quantity.value = fraction ? number->value : number->value * problem.unit.scale;
    answer.read_as = text_of(answer.quantity, problem.unit);
    return answer;
  }
  std::optional<TypedUnit> typed = parse_unit(number->rest, problem.unit);
  if (typed) typed = with_dollars(*typed, problem.unit);
  if (!typed) return bad("no unit " + quote_short(number->rest) + ": expected " + described(problem.unit));
  if (!answers(typed->dimension, problem.unit.dimension)) {
    return bad(quote_short(text) + " is another kind of quantity: expected " + described(problem.unit));
  }
  answer.quantity.value = number->value * typed->scale;
  answer.read_as = text_of(answer.quantity, problem.unit) + (typed->was_bits ? " (8 bits a byte)" : "");
  return answer;
}

}  // namespace td::arithmetic
