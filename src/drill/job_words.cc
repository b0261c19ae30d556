#include "drill/job_words.h"

namespace td::drill {

JobWords words_of(const sim::Job& job) {
  switch (job.work) {
    case sim::Work::training:
      break;
    case sim::Work::inference:
      return {.job = "inference service", .step = "request", .ends = false};
    case sim::Work::prefill:
      return {.job = "prompt-processing service", .step = "batch", .ends = false};
    case sim::Work::decode:
      return {.job = "text-generation service", .step = "token", .ends = false};
  }
  return {.job = "training job", .step = "step", .ends = true};
}

std::string hardware_text(const sim::Job& job) {
  const int32_t gpus = job.fabric.world_size();
  return (gpus == 1 ? "one" : std::to_string(gpus) + " x") + " " + std::string(job.gpu->title);
}

bool is_compiled(const sim::Job& job) { return job.execution == sim::Execution::compiled; }

}  // namespace td::drill
