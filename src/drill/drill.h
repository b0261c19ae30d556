// A drill from its name: what the learner is shown, and, once they have committed, the truth and their verdict.
//
// Stateless: opening and revealing each simulate anew, and the same name gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "drill/deck.h"
#include "drill/draw.h"
#include "drill/grade.h"
#include "drill/measurement.h"
#include "drill/truth.h"
#include "trace/trace.h"

namespace td::drill {

struct Fact {
  std::string label;  // "Link"
  std::string value;  // "2 nodes of 4, one 100 GbE NIC a node, NVLink inside"
};

// Nothing in here may tell the cause: no scenario, no fault, no truth.
struct Exercise {
  Level level = Level::standard;
  std::string prompt;
  std::vector<Fact> facts;
  Json facts_json;  // the same for the reader (analysis/facts.h): gpu, fabric, world_size, parallelism, dtype
  std::vector<std::string> rank_titles;  // "gpu-node-12, GPU 0, H100 SXM", by rank
  trace::Trace trace;
  std::vector<Interval> steps;  // device steps of rank 0
  Interval view;                // two steady steps
};

struct FixedRun {
  trace::Trace trace;
  std::vector<Interval> steps;
  Interval view;
};

struct Reveal {
  Truth truth;
  Verdict verdict;
  FixedRun fixed;
};

Result<Exercise> open_drill(const DrillName& name);
// invalid_argument if the answer's place is on a rank or a track that the trace does not have.
Result<Reveal> reveal_drill(const DrillName& name, const Answer& answer);

// What a measurement prints that the trace does not hold (measurement.h).
Result<MeasurementPrint> measure_drill(const DrillName& name, const PaidMeasurement& measurement);

// The same for one scenario of one's choice instead of a deck's draw (`tracedrills generate`).
struct Generated {
  Exercise exercise;
  Truth truth;
};
Result<Generated> generate(const Scenario& scenario, uint64_t seed, Level level = Level::standard);
// A deck's draw, with its truth: the trace that `open_drill` shows.
Result<Generated> generate(const DrillName& name);

// Parts of the above, for tests and for contrast.h. The truth of a drill is make_truth's with the prompt's theory
// refuted.
Truth drill_truth(const SimulatedInstance& instance, uint64_t seed);
Exercise make_exercise(SimulatedInstance instance, uint64_t seed);
Result<SimulatedInstance> simulate_named(const DrillName& name);
FixedRun shown_run(sim::SimulatedJob run);
// What no fault and no fix changes: parallelism and hardware, without fabric and dtype.
std::vector<Fact> lasting_facts(const sim::Job& job);

}  // namespace td::drill
