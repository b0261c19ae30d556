// One problem: what is asked, what is right, how one gets there, and the slips that one makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arithmetic/quantity.h"
#include "arithmetic/unit.h"

namespace td::arithmetic {

// A number that the question states; the sum needs these and nothing else.
struct Input {
  std::string name;   // "bandwidth", for scripts
  std::string title;  // "NVLink, per GPU, one way"
  Quantity value;
  Unit unit;
};

struct Step {
  std::string text;  // "Bytes over its link"
  std::string sum;   // "2.62 GB × 1.75 = 4.59 GB", units on every line
};

// A mistake that people make, and the answer that it gives.
struct Slip {
  std::string name;    // "both directions"
  std::string reason;  // one sentence: what applies instead
  double value = 0;    // in base units
};

// What a verdict may be. `words` are further spellings, separated by spaces.
struct Choice {
  std::string id;     // "compute-bound"
  std::string words;  // "compute flops math"
};

struct Problem {
  std::string_view category;
  uint32_t seed = 0;
  std::string question;     // with every number that it takes
  std::string conventions;  // GB or GiB, one way or both, dense or sparse
  std::vector<Input> inputs;

  // Either a number in `unit` ...
  Quantity answer;
  Unit unit;
  // ... or a verdict, one of `choices`; empty for numbers.
  std::string verdict;
  std::vector<Choice> choices;

  std::vector<Step> steps;
  Step in_the_head;                 // the shortcut
  std::optional<Step> in_practice;  // what a real machine does to it
  std::string source;               // of the chips' and models' numbers
  std::vector<Slip> slips;

  [[nodiscard]] bool asks_verdict() const { return !choices.empty(); }
};

std::vector<Choice> yes_or_no();
std::vector<Choice> compute_or_memory();

}  // namespace td::arithmetic
