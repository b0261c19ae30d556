#include "sim/job/metrics.h"

#include <algorithm>
#include <string>

#include "hardware/formula/kernel_time.h"
#include "sim/job/graph.h"

namespace td::sim {
namespace {

constexpr int32_t kParametersPerLayer = 6;
// Which of a layer's tensors are logged, most telling first: qkv, up, down, projection, then the two norms.
constexpr int32_t kOrder[kParametersPerLayer] = {1, 4, 5, 2, 0, 3};

// ATen's reduction to one value: blocks of 512 threads, as many as fill the device.
KernelShape norm_kernel(trace::DType dtype, int64_t elements, const hardware::Gpu& gpu) {
  const std::string type = dtype == trace::DType::float32 ? "float" : "c10::BFloat16";
  const std::string op = "at::native::ReduceOp<" + type + ", at::native::NormTwoOps<" + type + ", float, " + type +
                         ">, unsigned int, " + type + ", 4, 4>";
  constexpr int64_t kElementsPerBlock = 8'192;  // 512 threads of 16
  const int64_t blocks = std::clamp<int64_t>(elements / kElementsPerBlock, 1, int64_t{gpu.sm_count} * 4);
  return {"void at::native::reduce_kernel<512, 1, " + op + " >(" + op + ")",
          {1, static_cast<uint32_t>(blocks), 1},
          {32, 16, 1},
          32,
          16};
}

// Of one forward.
int64_t logged_activations(const Job& job) {
  int64_t count = 0;
  for (const Block& block : make_graph(job, {}).blocks) {
    for (const Node& node : block.nodes) count += node.special == Node::Special::log_activation ? 1 : 0;
  }
  return count;
}

}  // namespace

void read_scalar(ProgramWriter& writer) {
  writer.op("aten::item", 3'000);
  writer.op("aten::_local_scalar_dense", 4'000);
  writer.copy("Memcpy DtoH (Device -> Pinned)", trace::CopyKind::d2h, 4, 1'400);
  writer.sync_stream(kComputeStream);
  writer.end();
  writer.end();
}

void write_metric(const Metrics& metrics, int64_t rows, int64_t columns, trace::DType dtype, const hardware::Gpu& gpu,
                  ProgramWriter& writer) {
  const int64_t elements = rows * columns;
  writer.op("aten::linalg_vector_norm", 11'000, dims({{rows, columns}}));
  writer.launch("cudaLaunchKernel", 4'600, norm_kernel(dtype, elements, gpu),
                hardware::stream_time(static_cast<double>(elements * trace::size_bytes(dtype)), gpu));
  writer.end(1'500);
  if (!metrics.read_on_host) return;
  read_scalar(writer);
  writer.work(metrics.host_work_ns);
}

bool logs_gradient(const Metrics& metrics, const Model& model, size_t index) {
  const auto layers = static_cast<size_t>(model.layers);
  if (index == 0 || index > layers * kParametersPerLayer) return false;  // embeddings and the last norm
  const auto tensor = static_cast<int32_t>((index - 1) % kParametersPerLayer);
  const int32_t* end = kOrder + metrics.per_layer;
  return std::find(kOrder, end, tensor) != end;
}

int64_t metrics_per_step(const Job& job) {
  const Metrics& metrics = job.metrics;
  switch (metrics.of) {
    case Metrics::Of::nothing:
      return 0;
    case Metrics::Of::activations:
      return logged_activations(job) * job.accumulation;
    case Metrics::Of::gradients:
      return int64_t{job.model->layers} * metrics.per_layer;
  }
  return 0;
}

}  // namespace td::sim
