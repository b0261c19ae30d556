// A framing = the story around a trace, shared between causes. It never contradicts the trace and never decides it.
// Each file framing/ID.cc defines `Framing td::drill::framing::ID()`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drill/prompt_facts.h"

namespace td::drill {

// What the learner is told, and which figures it states: each of them stands in the text as it is written there.
struct Prompt {
  std::string text;
  std::vector<Figure> figures;
};

struct Framing {
  std::string_view id;
  std::vector<std::string_view> causes;  // catalogue ids that it is told of; at least three
  Prompt (*prompt)(const PromptFacts& facts) = nullptr;
  // Whether the story is true of this run, and its theory refuted by it; nullptr: of every run. By what the trace
  // shows, never by the cause.
  bool (*fits)(const PromptFacts& facts) = nullptr;
  // A colleague's wrong theory: the cause that it supposes, or empty; and the number of this trace that refutes it, as
  // a sentence.
  std::string_view theory = {};
  std::string (*refuted)(const PromptFacts& facts) = nullptr;
};

std::span<const Framing> all_framings();

// The core causes but this one, for a framing whose theory it is; all of them for "".
std::vector<std::string_view> causes_but(std::string_view theory);

// The framing of this drill: of those told of the cause and true of the run, one with a theory or one without by the
// toss of a coin, then any of these. Drawn by its own stream.
const Framing* draw_framing(std::string_view cause, const PromptFacts& facts, uint64_t seed);

}  // namespace td::drill
