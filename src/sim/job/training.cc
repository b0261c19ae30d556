#include "sim/job/training.h"

#include <algorithm>
#include <memory>
#include <string>

#include "hardware/formula/kernel_time.h"
#include "sim/job/buckets.h"
#include "sim/job/compiled.h"
#include "sim/job/metrics.h"
#include "sim/job/model_writer.h"

namespace td::sim {
namespace {

constexpr int64_t kAdamElementsPerLaunch = int64_t{320} * 65'536;
// Pinned copies: latency plus the PCIe rate of the part.
constexpr double kCopyLatencyNs = 1'600;

double pinned_bytes_per_s(const hardware::Gpu& gpu) {
  const bool pcie5 = gpu.generation >= hardware::Generation::hopper;
  return hardware::find_link(pcie5 ? "pcie5" : "pcie4")->usable_bytes_per_s;
}

// CTAs of NCCL's kernel: one a channel; fewer channels feed a network than NVLink.
int32_t channels(const hardware::Fabric& fabric) {
  if (fabric.inter == nullptr) return fabric.intra->id == "nvlink" ? 24 : 8;
  return std::clamp(2 * fabric.nics_per_node, 4, 16);
}

struct Bucket {
  int64_t elements = 0;
  int32_t parameters = 0;  // not yet ready while the backward is written
  int32_t ready_event = 0;
  int32_t done_event = 0;
};

class Training {
 public:
  Training(const Job& job, const Software& software, Program& program)
      : job_(job),
        program_(program),
        writer_(program_),
        model_(make_model_writer(job, software, writer_)),
        software_(software),
        parameters_(model_->parameters()) {}

  // Adds one step to the program; returns its segment.
  int32_t add_step() {
    first_segment_ = program_.segments.size();
    program_.sequences_per_step = model_->sequence_count();
    make_buckets();
    program_.segments.resize(first_segment_ + 1 + static_cast<size_t>(job_.accumulation));
    for (int32_t microbatch = 0; microbatch < job_.accumulation; ++microbatch) {
      writer_.write_to(program_.segments[first_segment_ + 1 + static_cast<size_t>(microbatch)]);
      backward(microbatch);
    }
    writer_.write_to(program_.segments[first_segment_]);
    step();
    return static_cast<int32_t>(first_segment_);
  }

  void add_epilogue() {
    writer_.write_to(program_.epilogue);
    writer_.work(60'000);
    writer_.sync_device();
  }

 private:
  [[nodiscard]] int64_t gradient_bytes(int64_t elements) const { return elements * trace::size_bytes(job_.grad_dtype); }

  void make_buckets() {
    std::vector<int64_t> bytes;
    for (auto it = parameters_.rbegin(); it != parameters_.rend(); ++it) bytes.push_back(gradient_bytes(it->count()));
    const std::vector<int32_t> assigned = assign_buckets(bytes, job_.bucket_cap_bytes, job_.first_bucket_cap_bytes);
    bucket_of_.resize(parameters_.size());
    buckets_.resize(static_cast<size_t>(assigned.back()) + 1);
    for (size_t i = 0; i < assigned.size(); ++i) {
      const size_t parameter = parameters_.size() - 1 - i;
      bucket_of_[parameter] = assigned[i];
      Bucket& bucket = buckets_[static_cast<size_t>(assigned[i])];
      bucket.elements += parameters_[parameter].count();
      ++bucket.parameters;
    }
    for (Bucket& bucket : buckets_) {
      bucket.ready_event = writer_.new_event();
      bucket.done_event = writer_.new_event();
    }
  }

  void parameter_kernel(std::string_view op, Pointwise kind, const Parameter& parameter, int32_t tensors) {
    const auto bytes = static_cast<double>(gradient_bytes(parameter.count())) * tensors;
    writer_.op(op, 3'500, dims({{parameter.rows, parameter.columns}}));
    writer_.launch("cudaLaunchKernel", 4'600, pointwise_kernel(kind, parameter.count(), software_),
                   hardware::stream_time(bytes, *job_.gpu));
    writer_.end();
  }

  void gradient_ready(int32_t number, int32_t microbatch, std::vector<Bucket>& left) {
    const Parameter& parameter = parameters_[static_cast<size_t>(number)];
    const bool fp32 = job_.grad_dtype == trace::DType::float32;
    const bool last = microbatch == job_.accumulation - 1;
    writer_.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 2'500);
    writer_.op("torch::autograd::AccumulateGrad", 2'500);
    // The first microbatch's gradient is taken as it is; later ones are added to it.
    if (microbatch > 0) parameter_kernel("aten::add_", Pointwise::add, parameter, 3);
    writer_.end();
    if (last) {
      // The reducer's hook: into the bucket, divided by the world size.
      writer_.op("torch::distributed::reducer::mul_out", 3'000);
      parameter_kernel("aten::mul", fp32 ? Pointwise::div_float : Pointwise::div_bf16, parameter, 2);
      writer_.end();
      Bucket& bucket = left[static_cast<size_t>(bucket_of_[static_cast<size_t>(number)])];
      if (--bucket.parameters == 0) bucket_full(left);
    }
    writer_.end(1'000);
  }

  // Buckets are launched in order: one that is full waits for those before it.
  void bucket_full(std::vector<Bucket>& left) {
    if (!job_.overlap_reduction) return;
    while (next_bucket_ < left.size() && left[next_bucket_].parameters == 0) {
      all_reduce(left[next_bucket_]);
      ++next_bucket_;
    }
  }

  void all_reduce(const Bucket& bucket) {
    if (job_.fabric.world_size() < 2) return;
    const bool fp32 = job_.grad_dtype == trace::DType::float32;
    const std::string shape = dims({{bucket.elements}});
    CollectiveSpec spec{.kernel = writer_.kernel_spec(all_reduce_kernel(fp32, channels(job_.fabric)), {}),
                        .kind = trace::CollectiveKind::all_reduce,
                        .dtype = job_.grad_dtype,
                        .in_count = bucket.elements,
                        .out_count = bucket.elements,
                        .transfer_ns = hardware::transfer_ns(hardware::Collective::all_reduce,
                                                             gradient_bytes(bucket.elements), job_.fabric, *job_.gpu)};
    writer_.op("c10d::allreduce_", 9'000, shape);
    writer_.op("record_param_comms", 6'000, shape);
    writer_.record_event(bucket.ready_event, kComputeStream);
    writer_.wait_event(bucket.ready_event, kCommStream);
    writer_.annotation("nccl:all_reduce", 3'000);
    writer_.collective(spec, 8'000);
    writer_.end(2'000);
    writer_.record_event(bucket.done_event, kCommStream);
    writer_.end(2'000);
    writer_.end(2'000);
  }

  void backward(int32_t microbatch) {
    std::vector<Bucket> left = buckets_;
    next_bucket_ = 0;
    model_->backward(0, model_->block_count(), [&](int32_t parameter) { gradient_ready(parameter, microbatch, left); });
    if (microbatch != job_.accumulation - 1 || job_.fabric.world_size() < 2) return;
    if (job_.overlap_reduction) wait_for_buckets();
  }

  // The reducer's final callback: the compute stream waits for every bucket.
  void wait_for_buckets() {
    for (const Bucket& bucket : buckets_) writer_.wait_event(bucket.done_event, kComputeStream);
  }

  // Without hooks the main thread reduces the buckets, one after the other, when backward() has returned.
  void reduce_after_backward() {
    if (job_.overlap_reduction || job_.fabric.world_size() < 2) return;
    writer_.work(30'000);
    for (const Bucket& bucket : buckets_) all_reduce(bucket);
    wait_for_buckets();
  }

  void to_device(std::string_view shape, int64_t size_bytes) {
    const double dur_ns = kCopyLatencyNs + static_cast<double>(size_bytes) / pinned_bytes_per_s(*job_.gpu) * 1e9;
    writer_.op("aten::to", 3'000, shape);
    writer_.op("aten::_to_copy", 4'000, shape);
    writer_.leaf("aten::empty_strided", 4'000);
    writer_.op("aten::copy_", 4'500, shape);
    writer_.copy("Memcpy HtoD (Pinned -> Device)", trace::CopyKind::h2d, size_bytes, static_cast<TimeNs>(dur_ns));
    writer_.end();
    writer_.end();
    writer_.end();
  }

  void microbatch(int32_t number) {
    writer_.loader("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    writer_.work(25'000);
    for (const InputTensor& input : model_->inputs()) to_device(input.shape, input.size_bytes);
    if (number == 0) {
      writer_.annotation("Optimizer.zero_grad#AdamW.zero_grad", 55'000);
      writer_.end();
    }
    writer_.annotation("DistributedDataParallel.forward", 40'000);
    if (job_.execution == Execution::compiled) begin_compiled(writer_);
    model_->forward(0, model_->block_count());
    if (job_.execution == Execution::compiled) end_compiled(writer_);
    writer_.end(15'000);
    writer_.work(12'000);
    writer_.run_thread(kAutogradThread, static_cast<int32_t>(first_segment_) + 1 + number);
  }

  void optimizer() {
    const bool fp32 = job_.grad_dtype == trace::DType::float32;
    writer_.annotation("Optimizer.step#AdamW.step", 180'000);
    writer_.op("aten::_fused_adamw_", 90'000);
    for (int64_t left = parameter_count(*job_.model); left > 0; left -= kAdamElementsPerLaunch) {
      const int64_t n = std::min(left, kAdamElementsPerLaunch);
      writer_.launch("cudaLaunchKernel", 5'500, adam_kernel(fp32, n), hardware::adam_time(n, *job_.gpu));
      writer_.work(6'000);
    }
    writer_.end(8'000);
    writer_.end(20'000);
  }

  // A loop over the gradients between backward and the optimizer, for the log.
  void log_gradients() {
    const Metrics& metrics = job_.metrics;
    if (metrics.of != Metrics::Of::gradients) return;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (!logs_gradient(metrics, *job_.model, i)) continue;
      write_metric(metrics, parameters_[i].rows, parameters_[i].columns, job_.grad_dtype, *job_.gpu, writer_);
    }
  }

  void step() {
    writer_.begin_step(18'000);
    for (int32_t number = 0; number < job_.accumulation; ++number) microbatch(number);
    reduce_after_backward();
    log_gradients();
    optimizer();
    if (job_.sync_every_step) read_scalar(writer_);
    writer_.work(20'000);
    writer_.end(4'000);
    writer_.work(9'000);
  }

  const Job& job_;
  Program& program_;
  ProgramWriter writer_;
  std::unique_ptr<ModelWriter> model_;
  const Software& software_;
  const std::vector<Parameter>& parameters_;
  std::vector<int32_t> bucket_of_;
  std::vector<Bucket> buckets_;
  size_t next_bucket_ = 0;
  size_t first_segment_ = 0;
};

}  // namespace

Deployment training_deployment(const Job& job, const Software& software) {
  Program program;
  program.stream_count = job.parallelism.kind == Parallelism::Kind::one_gpu ? 1 : 2;
  Training usual(job, software, program);
  usual.add_step();
  usual.add_epilogue();
  if (job.reshaped_step >= 0) {
    const Job reshaped = reshaped_job(job);
    const int32_t segment = Training(reshaped, software, program).add_step();
    program.step_segments.assign(static_cast<size_t>(job.warmup_steps + job.reshaped_step) + 1, 0);
    program.step_segments.back() = segment;
  }
  Deployment out = deploy_on_all(std::move(program), job.fabric.world_size());
  if (job.parallelism.kind == Parallelism::Kind::one_gpu) {
    out.groups.clear();
    out.ranks.front().groups.clear();
  }
  return out;
}

int64_t kernels_per_step(const Job& job) {
  Job usual = job;
  usual.reshaped_step = -1;
  const Deployment deployment = training_deployment(usual, {});
  int64_t count = 0;
  for (const auto& segment : deployment.programs.front().segments) {
    for (const Instruction& instruction : segment) {
      if (instruction.code == Code::launch || instruction.code == Code::collective) ++count;
    }
  }
  return count;
}

}  // namespace td::sim
