#include "sim/job/gradient_reduction.h"

#include <string>

#include "hardware/formula/kernel_time.h"
#include "sim/job/buckets.h"
#include "sim/job/nccl.h"

namespace td::sim {

GradientReduction::GradientReduction(const Job& job, const Software& software, const std::vector<Parameter>& parameters,
                                     const std::vector<int32_t>& mine, std::vector<int32_t> ranks,
                                     ProgramWriter& writer)
    : job_(job),
      software_(software),
      parameters_(parameters),
      ranks_(std::move(ranks)),
      writer_(writer),
      has_reducer_(job.parallelism.kind == Parallelism::Kind::ddp || ranks_.size() > 1) {
  make_buckets(mine);
}

void GradientReduction::make_buckets(const std::vector<int32_t>& mine) {
  std::vector<int64_t> sizes_bytes;
  for (auto it = mine.rbegin(); it != mine.rend(); ++it) {
    sizes_bytes.push_back(parameters_[static_cast<size_t>(*it)].count() * trace::size_bytes(job_.grad_dtype));
  }
  const std::vector<int32_t> assigned = assign_buckets(sizes_bytes, job_.bucket_cap_bytes, job_.first_bucket_cap_bytes);
  bucket_of_.assign(parameters_.size(), -1);
  buckets_.resize(assigned.empty() ? 0 : static_cast<size_t>(assigned.back()) + 1);
  for (size_t i = 0; i < assigned.size(); ++i) {
    const auto parameter = static_cast<size_t>(mine[mine.size() - 1 - i]);
    bucket_of_[parameter] = assigned[i];
    Bucket& bucket = buckets_[static_cast<size_t>(assigned[i])];
    bucket.elements += parameters_[parameter].count();
    ++bucket.left;
  }
  for (Bucket& bucket : buckets_) {
    bucket.ready_event = writer_.new_event();
    bucket.done_event = writer_.new_event();
  }
}

void GradientReduction::parameter_kernel(std::string_view op, Pointwise kind, const Parameter& parameter,
                                         int32_t tensors) {
  const auto bytes = static_cast<double>(parameter.count() * trace::size_bytes(job_.grad_dtype)) * tensors;
  writer_.op(op, 3'500, dims({{parameter.rows, parameter.columns}}));
  writer_.launch("cudaLaunchKernel", 4'600, pointwise_kernel(kind, parameter.count(), software_),
                 hardware::stream_time(bytes, *job_.gpu));
  writer_.end();
}

void GradientReduction::gradient_ready(int32_t number, bool first, bool last) {
  const Parameter& parameter = parameters_[static_cast<size_t>(number)];
  const bool fp32 = job_.grad_dtype == trace::DType::float32;
  writer_.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 2'500);
  writer_.op("torch::autograd::AccumulateGrad", 2'500);
  // The first microbatch's gradient is taken as it is; later ones are added to it.
  if (!first) parameter_kernel("aten::add_", Pointwise::add, parameter, 3);
  writer_.end();
  if (last && has_reducer_) {
    // The reducer's hook: into the bucket, divided by the number of ranks.
    writer_.op("torch::distributed::reducer::mul_out", 3'000);
    parameter_kernel("aten::mul", fp32 ? Pointwise::div_float : Pointwise::div_bf16, parameter, 2);
    writer_.end();
    --buckets_[static_cast<size_t>(bucket_of_[static_cast<size_t>(number)])].left;
    // Buckets are launched in order: one that is full waits for those before it.
    while (job_.overlap_reduction && next_bucket_ < buckets_.size() && buckets_[next_bucket_].left == 0) {
      reduce(buckets_[next_bucket_]);
      ++next_bucket_;
    }
  }
  writer_.end(1'000);
}

bool GradientReduction::compresses() const {
  return job_.compress_gradients && job_.grad_dtype == trace::DType::float32;
}

void GradientReduction::cast_bucket(const Bucket& bucket, Pointwise kind) {
  const std::string shape = dims({{bucket.elements}, {bucket.elements}});
  writer_.op("aten::copy_", 4'000, shape);
  writer_.launch("cudaLaunchKernel", 4'600, pointwise_kernel(kind, bucket.elements, software_),
                 hardware::stream_time(6.0 * static_cast<double>(bucket.elements), *job_.gpu));
  writer_.end();
}

void GradientReduction::reduce(const Bucket& bucket) {
  if (!reduces()) return;
  if (compresses()) cast_bucket(bucket, Pointwise::cast_to_bf16);
  const std::string shape = dims({{bucket.elements}});
  write_collective({.kind = trace::CollectiveKind::all_reduce,
                    .dtype = compresses() ? trace::DType::bfloat16 : job_.grad_dtype,
                    .in_count = bucket.elements,
                    .out_count = bucket.elements,
                    .ranks = ranks_,
                    .group = 0,
                    .stream = kCommStream,
                    .ready_event = bucket.ready_event,
                    .done_event = bucket.done_event,
                    .op = "c10d::allreduce_",
                    .annotation = "nccl:all_reduce",
                    .shape = shape},
                   job_, writer_);
}

void GradientReduction::wait() {
  if (!reduces()) return;
  for (const Bucket& bucket : buckets_) writer_.wait_event(bucket.done_event, kComputeStream);
  if (!compresses()) return;
  for (const Bucket& bucket : buckets_) cast_bucket(bucket, Pointwise::cast_to_float);
}

void GradientReduction::reduce_after_backward() {
  if (job_.overlap_reduction || !reduces()) return;
  writer_.work(30'000);
  for (const Bucket& bucket : buckets_) reduce(bucket);
  wait();
}

}  // namespace td::sim
