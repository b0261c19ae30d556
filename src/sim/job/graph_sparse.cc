// Tables, gathers and scatters: recommenders, graph networks, and the front ends of diffusion and speech.
#include <string>
#include <utility>

#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

constexpr std::string_view kBf16 = "c10::BFloat16";
constexpr std::string_view kFloat = "float";
constexpr std::string_view kLong = "long int";
constexpr std::string_view kScalar = "Scalar";
constexpr TimeNs kDispatchNs = 6'500;
// A random row of a table costs its 64-byte sectors and a little of the next ones.
constexpr double kRandomRowFactor = 1.35;

double two_bytes(int64_t elements) { return 2.0 * static_cast<double>(elements); }

}  // namespace

// All tables of one rank in one kernel each way; backward sorts the indices and updates the rows it touches (row-wise
// Adagrad), so that tables have no gradients and no optimizer step.
void GraphBuilder::embedding_bags(int64_t tables, int64_t rows, int64_t columns, int64_t batch, int64_t pooling) {
  const int64_t lookups = tables * batch * pooling;
  const int64_t bags = tables * batch;
  const double row_bytes = 4.0 * static_cast<double>(columns);
  graph_.table_bytes += tables * rows * (4 * columns + 4);
  Node& node = add_node();
  node.saved_bytes = 8 * lookups + 2 * bags * columns;
  const std::string shapes = shapes_text({{tables * rows * columns}, {lookups}, {bags + 1}});
  op(node.forward, "fbgemm::bounds_check_indices", 7'000, shapes, 0, types({kFloat, kLong, kLong}));
  stream_kernel(node.forward, row_kernel(RowKernel::offsets, lookups, 1), 8.0 * static_cast<double>(lookups));
  op(node.forward, "fbgemm::split_embedding_codegen_lookup_rowwise_adagrad_function", 21'000, shapes, 0,
     types({kFloat, kLong, kLong}));
  stream_kernel(node.forward, row_kernel(RowKernel::bag_forward, bags, columns),
                static_cast<double>(lookups) * (row_bytes * kRandomRowFactor + 8) + two_bytes(bags * columns));
  Pass& back = backward(node, "CppNode<SplitLookupFunction_rowwise_adagrad_Op>");
  op(back, "fbgemm::transpose_embedding_input", 9'000, shapes, 0, types({kFloat, kLong, kLong}));
  for (int pass = 0; pass < 4; ++pass) {
    stream_kernel(back, row_kernel(RowKernel::embedding_sort, lookups, 1), 32.0 * static_cast<double>(lookups));
  }
  op(back, "fbgemm::split_embedding_backward_codegen_rowwise_adagrad_unweighted_exact_cuda", 12'000, shapes, 0,
     types({kFloat, kLong, kLong}));
  stream_kernel(back, row_kernel(RowKernel::bag_backward, lookups, columns),
                static_cast<double>(lookups) * (2 * row_bytes * kRandomRowFactor + 16) + two_bytes(bags * columns));
}

void GraphBuilder::gather_rows(int64_t source_rows, int64_t rows, int64_t columns) {
  const double traffic = two_bytes(rows * columns) * (1 + kRandomRowFactor) + 8.0 * static_cast<double>(rows);
  Node& node = add_node();
  node.saved_bytes = 2 * rows * columns;
  op(node.forward, "aten::index_select", kDispatchNs, shapes_text({{source_rows, columns}, {}, {rows}}), 0,
     types({kBf16, kScalar, kLong}));
  stream_kernel(node.forward, row_kernel(RowKernel::gather, rows, columns), traffic);
  Pass& back = backward(node, "IndexSelectBackward0");
  op(back, "aten::index_add_", kDispatchNs, shapes_text({{source_rows, columns}, {}, {rows}, {rows, columns}, {}}), 0,
     types({kBf16, kScalar, kLong, kBf16, kScalar}));
  stream_kernel(back, row_kernel(RowKernel::scatter_add, rows, columns),
                traffic + two_bytes(rows * columns) * kRandomRowFactor);
}

void GraphBuilder::scatter_add(int64_t rows, int64_t out_rows, int64_t columns) {
  const double traffic = two_bytes(rows * columns) * (1 + 2 * kRandomRowFactor) + 8.0 * static_cast<double>(rows);
  Node& node = add_node();
  op(node.forward, "aten::index_add_", kDispatchNs, shapes_text({{out_rows, columns}, {}, {rows}, {rows, columns}, {}}),
     0, types({kBf16, kScalar, kLong, kBf16, kScalar}));
  stream_kernel(node.forward, row_kernel(RowKernel::scatter_add, rows, columns), traffic);
  Pass& back = backward(node, "IndexAddBackward0");
  op(back, "aten::index_select", kDispatchNs, shapes_text({{out_rows, columns}, {}, {rows}}), 0,
     types({kBf16, kScalar, kLong}));
  stream_kernel(back, row_kernel(RowKernel::gather, rows, columns),
                two_bytes(rows * columns) * (1 + kRandomRowFactor) + 8.0 * static_cast<double>(rows));
}

// Frequencies, their product with the timestep, sine and cosine, put together: short kernels over a batch of rows.
void GraphBuilder::sinusoids(int64_t batch, int64_t columns) {
  const int64_t n = batch * columns;
  const std::string half = shapes_text({{batch, columns / 2}});
  Node& node = add_node();
  op(node.forward, "aten::mul", kDispatchNs, shapes_text({{batch, 1}, {1, columns / 2}}), 0, types({kFloat, kFloat}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::multiply_float, n / 2, software_),
                4.0 * static_cast<double>(n));
  for (const std::string_view name : {"aten::cos", "aten::sin"}) {
    op(node.forward, name, kDispatchNs, half, 0, types({kFloat}));
    stream_kernel(node.forward, pointwise_kernel(Pointwise::sine, n / 2, software_), 4.0 * static_cast<double>(n));
  }
  op(node.forward, "aten::cat", kDispatchNs, shapes_text({{batch, columns / 2}, {batch, columns / 2}, {}}), 0,
     types({kFloat, kFloat, kScalar}));
  stream_kernel(node.forward, row_kernel(RowKernel::concatenate, batch, columns), 8.0 * static_cast<double>(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise, .out_bytes = 4.0 * static_cast<double>(n)};
}

// Short-time Fourier transform, squared magnitudes, mel filters, logarithm; no gradient goes through it.
void GraphBuilder::mel_spectrum(int64_t batch, int64_t samples, int64_t frames, int64_t bins) {
  constexpr int64_t kFrequencies = 201;
  const int64_t spectrum = batch * frames * kFrequencies;
  const auto values = static_cast<double>(spectrum);
  Node& node = add_node(false);
  op(node.forward, "aten::stft", 14'000, shapes_text({{batch, samples}, {}, {}, {}, {400}, {}, {}, {}}), 0,
     types({kFloat}));
  op(node.forward, "aten::_fft_r2c", 16'000, shapes_text({{batch, frames, 400}, {}, {}, {}}), 1, types({kFloat}));
  stream_kernel(node.forward, row_kernel(RowKernel::fft, batch * frames, 400), 12 * values);
  op(node.forward, "aten::pow", kDispatchNs, shapes_text({{batch, kFrequencies, frames}, {}}), 0,
     types({kFloat, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::power, spectrum, software_), 8 * values);
  op(node.forward, "aten::matmul", 5'000, shapes_text({{bins, kFrequencies}, {batch, kFrequencies, frames}}), 0,
     types({kFloat, kFloat}));
  op(node.forward, "aten::bmm", 9'000, shapes_text({{batch, bins, kFrequencies}, {batch, kFrequencies, frames}}), 1,
     types({kFloat, kFloat}));
  // TF32: half of the BF16 rate.
  hardware::KernelTime time = hardware::batched_gemm_time(batch, bins, frames, kFrequencies, 4, gpu_);
  time.compute_ns *= 2;
  time.memory_ns *= 2;
  KernelShape gemm = gemm_kernel(GemmLayout::nn, bins, frames, true, gpu_, software_);
  gemm.grid[2] = static_cast<uint32_t>(batch);
  kernel(node.forward, std::move(gemm), time, gemm_launch_call(gpu_, software_));
  op(node.forward, "aten::log10", kDispatchNs, shapes_text({{batch, bins, frames}}), 0, types({kFloat}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::logarithm, batch * bins * frames, software_),
                8.0 * static_cast<double>(batch * bins * frames));
}

}  // namespace td::sim
