// P(job traits | cause): the checked-in table that keeps a job from telling its cause.
//
// Every cause is drawn with nearly every kind of job, so that P(cause | traits) stays at most 0.25 for every cause and
// set of traits under the core deck's weights (composition_test.cc computes it). What a cause needs by nature - several
// ranks, a pipeline, a compiled step - is paid for by giving the others as much of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/job/traits.h"

namespace td::drill {

// Which jobs a deck draws.
enum class Composition : uint8_t {
  all,            // the table
  data_parallel,  // eager DDP training of a decoder on 8 ranks only
};

// How a job is run: a row of the table.
struct Form {
  std::string_view id;  // "ddp_eager"
  sim::Work work = sim::Work::training;
  sim::Parallelism parallelism = {};
  sim::Execution execution = sim::Execution::eager;
};

// What a set of traits comes to for somebody who tells causes by them. Steps and window are independent of all else.
struct TraitClass {
  const Form* form = nullptr;
  sim::Family family = sim::Family::decoder;
  int32_t ranks = 1;
  const sim::Hardware* hardware = nullptr;
  int32_t size = 0;  // 0 short, 1 medium, 2 long steps
  bool loader = false;
};

// All classes that any cause can have.
std::vector<TraitClass> all_trait_classes();

// P(traits | cause); the classes' shares add up to 1 for each cause of the core deck.
double share_of(const TraitClass& traits, std::string_view cause);

// By the table and the seed. not_found for a cause that the table does not have. `attempt` counts redraws: other traits
// of the same cause.
Result<sim::Traits> draw_traits(std::string_view cause, uint64_t seed, Composition composition, int attempt = 0);

}  // namespace td::drill
