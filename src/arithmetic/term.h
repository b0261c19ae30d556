// Sums that write themselves down: a Term is a quantity and the text that stands for it, so a worked step is the very
// arithmetic that gave the answer.
#pragma once

#include <string>
#include <string_view>

#include "arithmetic/problem.h"
#include "arithmetic/quantity.h"
#include "arithmetic/unit.h"

namespace td::arithmetic {

struct Term {
  Quantity quantity;
  std::string text;
  int level = 0;  // 0 a number, 1 a product, 2 a quotient, 3 a sum: decides where parentheses go

  [[nodiscard]] double value() const { return quantity.value; }
};

// `in_unit` of `symbol`: term(450, "GB/s").
Term term(double in_unit, std::string_view symbol = {});
// The number without its noun, for the next product: 1.75 for "1.75 buffers".
Term plain(const Term& a);
Term operator*(const Term& a, const Term& b);
Term operator/(const Term& a, const Term& b);
Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term max_of(const Term& a, const Term& b);
Term min_of(const Term& a, const Term& b);
// The next whole number below or above, of a plain number.
Term floor_of(const Term& a);
Term ceil_of(const Term& a);

// Builds a problem. Each call adds what the learner sees in that order.
class Worksheet {
 public:
  explicit Worksheet(std::string_view category) { problem_.category = category; }

  // A number that the question states; it reads as it is printed there.
  Term input(std::string_view name, std::string_view title, double in_unit, std::string_view symbol = {});
  // A line of the working; returns its result as a number of its own. Without a symbol the unit that fits is taken.
  Term step(std::string_view text, const Term& sum, std::string_view symbol = {});
  // A line in words for what is compared or chosen.
  void note(std::string_view text, std::string_view sum);

  void ask(std::string question) { problem_.question = std::move(question); }
  void conventions(std::string text) { problem_.conventions = std::move(text); }
  void in_the_head(std::string text, std::string sum) { problem_.in_the_head = {std::move(text), std::move(sum)}; }
  void in_practice(std::string text, std::string sum) { problem_.in_practice = {std::move(text), std::move(sum)}; }
  void source(std::string_view text);
  void slip(std::string_view name, double value, std::string_view reason);

  // The answer: a number, printed and asked for in `symbol`, or a verdict.
  Problem number(const Term& answer, std::string_view symbol);
  Problem verdict(std::vector<Choice> choices, std::string_view id);

 private:
  Problem problem_;
};

}  // namespace td::arithmetic
