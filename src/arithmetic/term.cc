#include "arithmetic/term.h"

#include <cmath>
#include <utility>

namespace td::arithmetic {
namespace {

// A quotient that is whole on paper may miss it by its last bits: 15 × (1 / 6 % − 1) is 235.
constexpr double kWhole = 1e-9;

std::string in_parentheses(const Term& term, int above) {
  return term.level > above ? "(" + term.text + ")" : term.text;
}

}  // namespace

Term term(double in_unit, std::string_view symbol) {
  const Unit of = unit(symbol);
  const Quantity quantity{in_unit * of.scale, of.dimension};
  return {.quantity = quantity, .text = text_of(quantity, of, 5), .level = 0};
}

Term plain(const Term& a) { return {.quantity = a.quantity, .text = digits(a.quantity.value, 3), .level = 0}; }

Term operator*(const Term& a, const Term& b) {
  return {a.quantity * b.quantity, in_parentheses(a, 2) + " × " + in_parentheses(b, 1), a.level == 2 ? 2 : 1};
}
Term operator/(const Term& a, const Term& b) {
  return {a.quantity / b.quantity, in_parentheses(a, 2) + " / " + in_parentheses(b, 0), 2};
}
Term operator+(const Term& a, const Term& b) { return {a.quantity + b.quantity, a.text + " + " + b.text, 3}; }
Term operator-(const Term& a, const Term& b) {
  return {a.quantity - b.quantity, a.text + " − " + in_parentheses(b, 2), 3};
}
Term max_of(const Term& a, const Term& b) {
  return {larger(a.quantity, b.quantity), "max(" + a.text + ", " + b.text + ")", 0};
}
Term min_of(const Term& a, const Term& b) {
  return {smaller(a.quantity, b.quantity), "min(" + a.text + ", " + b.text + ")", 0};
}
Term floor_of(const Term& a) {
  return {{std::floor(a.quantity.value * (1 + kWhole)), a.quantity.dimension}, "floor(" + a.text + ")", 0};
}
Term ceil_of(const Term& a) {
  return {{-std::floor(-a.quantity.value * (1 - kWhole)), a.quantity.dimension}, "ceil(" + a.text + ")", 0};
}

Term Worksheet::input(std::string_view name, std::string_view title, double in_unit, std::string_view symbol) {
  Term out = term(in_unit, symbol);
  problem_.inputs.push_back({std::string(name), std::string(title), out.quantity, unit(symbol)});
  return out;
}

Term Worksheet::step(std::string_view text, const Term& sum, std::string_view symbol) {
  const Unit shown = symbol.empty() ? fitting_unit(sum.quantity) : unit(symbol);
  const std::string result = text_of(sum.quantity, shown);
  problem_.steps.push_back(
      {std::string(text), sum.level == 0 && sum.text == result ? result : sum.text + " = " + result});
  return {.quantity = sum.quantity, .text = result, .level = 0};
}

void Worksheet::note(std::string_view text, std::string_view sum) {
  problem_.steps.push_back({std::string(text), std::string(sum)});
}

void Worksheet::source(std::string_view text) {
  if (text.empty() || problem_.source.find(text) != std::string::npos) return;
  problem_.source.append(problem_.source.empty() ? "" : " ").append(text);
}

void Worksheet::slip(std::string_view name, double value, std::string_view reason) {
  problem_.slips.push_back({std::string(name), std::string(reason), value});
}

Problem Worksheet::number(const Term& answer, std::string_view symbol) {
  problem_.answer = answer.quantity;
  problem_.unit = unit(symbol);
  return std::move(problem_);
}

Problem Worksheet::verdict(std::vector<Choice> choices, std::string_view id) {
  problem_.choices = std::move(choices);
  problem_.verdict = id;
  return std::move(problem_);
}

}  // namespace td::arithmetic
