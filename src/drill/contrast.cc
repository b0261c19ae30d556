#include "drill/contrast.h"

#include <utility>

#include "base/random.h"

namespace td::drill {
namespace {

std::string side_words(Side side) {
  if (side == Side::neither) return "neither: noise alone";
  return side == Side::a ? "run A" : "run B";
}

// The job with the fix applied, with other noise than the drill's run.
Result<sim::SimulatedJob> run_other(const SimulatedInstance& instance, uint32_t seed) {
  RandomStream stream(seed, "drill.contrast.run");
  return sim::simulate(instance.instance.fixed_job, instance.instance.fixed_faults, stream.next_u64());
}

Side faulty_side(const SimulatedInstance& instance, uint32_t seed) {
  return instance.scenario->max_win_permille == 0 ? Side::neither : drawn_side(seed);
}

Part side_part(Side faulty, Side answered) {
  Part part;
  part.id = "side";
  part.grade = faulty == answered ? Grade::right : Grade::wrong;
  part.yours = side_words(answered);
  part.truth = side_words(faulty);
  part.why = faulty == Side::neither ? "Both runs are healthy; they differ by their noise."
                                     : "The other run is the same job with the fix applied.";
  return part;
}

}  // namespace

std::string_view to_string(Side side) {
  switch (side) {
    case Side::a:
      return "a";
    case Side::b:
      return "b";
    case Side::neither:
      break;
  }
  return "neither";
}

Side drawn_side(uint32_t seed) {
  RandomStream stream(seed, "drill.contrast.order");
  return stream.chance_permille(500) ? Side::a : Side::b;
}

Result<Contrast> open_contrast(const DrillName& name) {
  SimulatedInstance instance = TRY(simulate_named(name));
  Contrast out;
  out.facts = lasting_facts(instance.job);
  out.b = shown_run(TRY(run_other(instance, name.seed)));
  out.a = shown_run(std::move(instance.run));
  if (drawn_side(name.seed) == Side::b) std::swap(out.a, out.b);
  return out;
}

Result<ContrastReveal> reveal_contrast(const DrillName& name, const ContrastAnswer& answer) {
  const SimulatedInstance instance = TRY(simulate_named(name));
  ContrastReveal out;
  out.faulty = faulty_side(instance, name.seed);
  out.run = drawn_side(name.seed);
  // Without the prompt's theory: no prompt was shown.
  out.truth = make_truth(instance);
  Answer commit;
  commit.diagnosis = answer.diagnosis;
  out.parts = {side_part(out.faulty, answer.side), grade(out.truth, commit).parts.front()};
  return out;
}

}  // namespace td::drill
