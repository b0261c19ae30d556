// One drawn instance with all that the gates ask of it; the traces themselves are let go.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lifelike.h"

namespace td::gates {

struct Sample {
  uint32_t seed = 0;
  std::string error;  // drawing or reading failed; the rest is empty
  std::string cause;
  std::string scenario;
  std::string read_as;  // the reading's first finding
  bool healthy_job_has_no_finding = true;
  bool checked_healthy_job = false;

  // Not guessable.
  std::set<std::string> prompt_words;
  std::set<std::string> label_words;
  std::vector<double> rows;   // event kinds, colours, row counts
  std::vector<double> facts;  // span, steps, ranks, GPU, file size
  double comm_share = 0;

  std::vector<std::string> unphysical;  // one sentence each
  double mfu = 0;
  Lifelike lifelike;
  std::vector<std::string> broken_laws;
  int64_t win_apart_millionths = 0;  // |formula - simulation|, of the step
  int32_t tries = 0;
  double draw_ms = 0;  // processor time is not to be had by thread; wall time
};

// Draws core.1/seed and measures it.
Sample draw_sample(uint32_t seed);

}  // namespace td::gates
