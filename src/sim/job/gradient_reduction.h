// Gradients of one rank's parameters as they become ready: accumulated, put into buckets, reduced; private to job/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/job/job.h"
#include "sim/job/kernel_names.h"
#include "sim/job/model_writer.h"
#include "sim/job/program_writer.h"

namespace td::sim {

class GradientReduction {
 public:
  // Takes what outlives it: job, software, parameters and writer.
  //   mine   the parameters that this rank holds, in the order of their use
  //   ranks  that hold them too (group slot 0 of the program); one alone reduces nothing
  GradientReduction(const Job& job, const Software& software, const std::vector<Parameter>& parameters,
                    const std::vector<int32_t>& mine, std::vector<int32_t> ranks, ProgramWriter& writer);

  // Written where the gradient of parameter `number` has been computed, in a microbatch that is the step's first, last,
  // or both.
  void gradient_ready(int32_t number, bool first, bool last);
  // The compute stream waits for every bucket (the reducer's final callback).
  void wait();
  // Without hooks: all buckets, one after the other, when backward() has returned. Nothing if they overlap.
  void reduce_after_backward();

  [[nodiscard]] bool reduces() const { return ranks_.size() > 1; }

 private:
  struct Bucket {
    int64_t elements = 0;
    int32_t left = 0;  // parameters that are not ready yet while the step is written
    int32_t ready_event = 0;
    int32_t done_event = 0;
  };
  void make_buckets(const std::vector<int32_t>& mine);
  void parameter_kernel(std::string_view op, Pointwise kind, const Parameter& parameter, int32_t tensors);
  void reduce(const Bucket& bucket);
  // bf16_compress_hook: a bucket is cast before its all-reduce, and back when all have arrived.
  [[nodiscard]] bool compresses() const;
  void cast_bucket(const Bucket& bucket, Pointwise kind);

  const Job& job_;
  const Software& software_;
  const std::vector<Parameter>& parameters_;
  std::vector<int32_t> ranks_;
  ProgramWriter& writer_;
  bool has_reducer_;
  std::vector<int32_t> bucket_of_;  // by parameter
  std::vector<Bucket> buckets_;
  size_t next_bucket_ = 0;
};

}  // namespace td::sim
