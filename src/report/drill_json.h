// A drill as JSON, as docs/api.md describes it.
#pragma once

#include "base/json.h"
#include "drill/drill.h"

namespace td::report {

// The reply of `open`, without the columns.
Json exercise_json(const drill::DrillName& name, const drill::Exercise& exercise);

// The reply of `reveal`, without the columns.
Json reveal_json(const drill::DrillName& name, const drill::Reveal& reveal);

// The members that `reveal` and truth.json share.
Json truth_json(const drill::Truth& truth);
Json verdict_json(const drill::Verdict& verdict);

// drill.json: what the learner sees, {schema_version, prompt, seed, ranks, steps, facts}.
Json drill_file_json(const drill::Exercise& exercise, uint32_t seed);

// The reply of `catalog`: decks, diagnoses, measurements, fixes, reading order.
Json catalog_json();

}  // namespace td::report
