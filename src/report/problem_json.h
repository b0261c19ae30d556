// Problems of the mental-math trainer as JSON, in the shapes of docs/api.md.
#pragma once

#include <span>

#include "arithmetic/category.h"
#include "arithmetic/grade.h"
#include "arithmetic/pick.h"
#include "arithmetic/problem.h"
#include "base/json.h"

namespace td::report {

// Adds what a learner may see before the answer: question, conventions, inputs, asks, unit or choices. The category is
// not among it.
void set_question(Json& json, const arithmetic::Problem& problem);

// Adds the answer and the way to it: answer, answer_text, steps, shortcut, in_practice, source; of a registered
// category also title, identity and formula_source.
void set_working(Json& json, const arithmetic::Problem& problem);

// Adds grade, why, slip (null if none is recognised) and read_as.
void set_judgement(Json& json, const arithmetic::Judgement& judgement, const arithmetic::Answer& answer);

// {"value","unit"}: an integer where it is whole, else six decimals.
Json quantity_json(const arithmetic::Quantity& quantity, const arithmetic::Unit& unit);

Json tally_json(const arithmetic::Tally& tally);
// Categories with what they are about, the modes' lengths, tolerances.
Json math_catalog_json();
// Formulas and tables of the reference page, each with its source.
Json math_reference_json();

}  // namespace td::report
