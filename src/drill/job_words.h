// A job in the words of its stories: what it is called, what it does, and what one unit of its work is called.
#pragma once

#include <string>
#include <string_view>

#include "sim/job/job.h"

namespace td::drill {

struct JobWords {
  std::string_view job;   // "training job"
  std::string_view step;  // "step", "token"
  bool ends = true;       // a run with an end, not a service
};
JobWords words_of(const sim::Job& job);

// "8 x H100 SXM", "one L4".
std::string hardware_text(const sim::Job& job);

bool is_compiled(const sim::Job& job);

}  // namespace td::drill
