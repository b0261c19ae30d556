// A model as data: blocks of nodes, each with what its forward and its backward launch. Families build graphs
// (graph_builder.h), graph_writer.h writes them into programs, op by op or compiled. Private to job/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/formula/kernel_time.h"
#include "sim/job/kernel_names.h"
#include "sim/job/model_writer.h"

namespace td::sim {

struct OpSpec {
  std::string name;
  TimeNs cost_ns = 0;  // on the host, before its children and kernels
  std::string shapes;
  std::string types;
  int32_t depth = 0;  // an op's children follow it, one deeper
};

struct KernelUse {
  int32_t op = 0;  // launched inside ops[op], before the next op opens; -1: by the autograd node itself
  std::string_view api = "cudaLaunchKernel";
  TimeNs api_ns = 4'600;
  KernelShape shape;
  hardware::KernelTime time;
};

// Whether a compiler may put this into one kernel with its neighbours, and the bytes that it then saves.
struct Fusion {
  enum class Kind : uint8_t {
    none,        // GEMM, convolution, attention, sort: a library's kernel, or one that cannot be merged
    pointwise,   // one element from one element
    reduction,   // rows
    standalone,  // pointwise, but of a tensor of its own (a weight's cast)
  };
  Kind kind = Kind::none;
  double chained_bytes = 0;  // of the tensor that the node before has just written
  double other_bytes = 0;    // of other tensors read
  double out_bytes = 0;
  bool keeps_output = false;  // read again later (a residual stream, saved for backward): written even if merged
  bool over_rows = false;     // a statistic of the whole tensor comes first, in a kernel of its own (batch norm)
  double second_bytes = 0;    // a sum over rows beside it (gradients of weights): read by a kernel of its own
};

// Ops and kernels of one direction of one node.
struct Pass {
  std::string_view autograd_node;  // "AddmmBackward0"; backward only, empty for what the engine itself adds up
  std::vector<OpSpec> ops;
  std::vector<KernelUse> kernels;
  Fusion fusion;
};

struct Node {
  // Written by functions of their own.
  enum class Special : uint8_t { none, math_attention, log_activation };
  Special special = Special::none;
  Pass forward;
  std::vector<Pass> backward;
  std::vector<int32_t> parameters;  // whose gradients are there after backward
  int32_t sequence = -1;            // autograd's number; -1 where nothing is recorded
  double flop = 0;                  // of forward, matrix work only
  int64_t saved_bytes = 0;          // kept for backward
  int64_t rows = 0, columns = 0;    // of a logged activation
};

struct Block {
  std::vector<Node> nodes;
  int32_t first_parameter = 0;
  int64_t output_bytes = 0;  // handed to the next block
};

struct Graph {
  std::vector<Block> blocks;
  std::vector<Parameter> parameters;
  std::vector<InputTensor> inputs;
  int32_t sequence_count = 0;
  // Tables whose rows are updated by their own backward (recommenders): bytes with optimizer state, no gradients.
  int64_t table_bytes = 0;
};

double forward_flop(const Graph& graph);
int64_t saved_bytes(const Graph& graph);

// The graph of one microbatch of the job's model; the job has a model and a GPU.
Graph make_graph(const Job& job, const Software& software);

}  // namespace td::sim
