// Which pipelines drills run: well fed, their stages even, their messages short beside their compute.
#pragma once

#include "base/random.h"
#include "base/result.h"
#include "sim/job/job.h"

namespace td::sim {

struct PipelineWanted {
  bool interleaved_only = false;
};

// A healthy pipeline: an ideal bubble under 6.25 %, and no more than 2.6 % lost beside it, nearly all of it to
// messages. Two stages over 8 ranks, or four over 4, on a GPU and a fabric drawn first.
Result<Job> draw_pipeline_job(RandomStream& stream, const PipelineWanted& wanted = {});

}  // namespace td::sim
