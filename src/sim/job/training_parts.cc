#include "sim/job/training_parts.h"

#include <algorithm>
#include <string>

#include "hardware/formula/kernel_time.h"
#include "sim/job/metrics.h"

namespace td::sim {
namespace {

constexpr int64_t kAdamElementsPerLaunch = int64_t{320} * 65'536;
// Pinned copies: latency plus the PCIe rate of the part.
constexpr double kCopyLatencyNs = 1'600;

double pinned_bytes_per_s(const hardware::Gpu& gpu) {
  const bool pcie5 = gpu.generation >= hardware::Generation::hopper;
  return hardware::find_link(pcie5 ? "pcie5" : "pcie4")->usable_bytes_per_s;
}

void to_device(const Job& job, const InputTensor& input, ProgramWriter& writer) {
  const double dur_ns = kCopyLatencyNs + static_cast<double>(input.size_bytes) / pinned_bytes_per_s(*job.gpu) * 1e9;
  writer.op("aten::to", 3'000, input.shape);
  writer.op("aten::_to_copy", 4'000, input.shape);
  writer.leaf("aten::empty_strided", 4'000);
  writer.op("aten::copy_", 4'500, input.shape);
  writer.copy("Memcpy HtoD (Pinned -> Device)", trace::CopyKind::h2d, input.size_bytes, static_cast<TimeNs>(dur_ns));
  writer.end();
  writer.end();
  writer.end();
}

}  // namespace

void write_batch(const Job& job, std::span<const InputTensor> inputs, ProgramWriter& writer) {
  writer.loader("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
  writer.work(25'000);
  for (const InputTensor& input : inputs) to_device(job, input, writer);
}

void write_zero_grad(ProgramWriter& writer) {
  writer.annotation("Optimizer.zero_grad#AdamW.zero_grad", 55'000);
  writer.end();
}

void write_optimizer(const Job& job, int64_t elements, ProgramWriter& writer) {
  const bool fp32 = job.grad_dtype == trace::DType::float32;
  writer.annotation("Optimizer.step#AdamW.step", 180'000);
  writer.op("aten::_fused_adamw_", 90'000);
  for (int64_t left = elements; left > 0; left -= kAdamElementsPerLaunch) {
    const int64_t n = std::min(left, kAdamElementsPerLaunch);
    writer.launch("cudaLaunchKernel", 5'500, adam_kernel(fp32, n), hardware::adam_time(n, *job.gpu));
    writer.work(6'000);
  }
  writer.end(8'000);
  writer.end(20'000);
}

void write_gradient_log(const Job& job, const std::vector<Parameter>& parameters, std::span<const int32_t> mine,
                        ProgramWriter& writer) {
  if (job.metrics.of != Metrics::Of::gradients) return;
  for (const int32_t number : mine) {
    const auto at = static_cast<size_t>(number);
    if (!logs_gradient(job.metrics, *job.model, at)) continue;
    write_metric(job.metrics, parameters[at].rows, parameters[at].columns, job.grad_dtype, *job.gpu, writer);
  }
}

void write_epilogue(Program& program, ProgramWriter& writer) {
  writer.write_to(program.epilogue);
  writer.work(60'000);
  writer.sync_device();
}

}  // namespace td::sim
