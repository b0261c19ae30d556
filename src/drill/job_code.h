// A job's own program, as far as a reveal quotes it: how it is started, which file holds the guilty line, how its model
// is made ready. A line that suits another kind of job would be a line that nobody has written.
#pragma once

#include <string>
#include <string_view>

#include "sim/job/job.h"

namespace td::drill {

struct JobCode {
  std::string start;        // "torchrun --nproc-per-node 4 train.py", "python serve.py"
  std::string_view file;    // "train.py"
  std::string_view once;    // what one run of the loop is called there: "steps", "requests"
  std::string_view inputs;  // what the model is fed: "tokens", "images"
  std::string model;        // makes the model ready: "model = DDP(model)"; empty if it runs as it is
};
JobCode code_of(const sim::Job& job);

// What the ranks meet in, hence where they wait for a late one: "all-reduce"; empty for one GPU.
std::string_view meets_in(const sim::Job& job);

}  // namespace td::drill
