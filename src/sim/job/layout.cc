#include "sim/job/layout.h"

#include <algorithm>
#include <string>

#include "sim/job/model_writer.h"
#include "sim/job/pipeline_schedule.h"

namespace td::sim {
namespace {

struct Shape {
  int32_t nodes = 0;
  int32_t most_in_a_node = 0;
};

Shape shape_of(std::span<const int32_t> ranks, const hardware::Fabric& fabric) {
  std::vector<int32_t> in_node(static_cast<size_t>(fabric.nodes), 0);
  for (const int32_t rank : ranks) ++in_node[static_cast<size_t>(rank / fabric.gpus_per_node)];
  Shape out;
  for (const int32_t count : in_node) {
    out.nodes += count > 0 ? 1 : 0;
    out.most_in_a_node = std::max(out.most_in_a_node, count);
  }
  return out;
}

Status check_fsdp(const Job& job) {
  const auto bad = [](std::string message) { return fail(ErrorCode::invalid_argument, "job: " + std::move(message)); };
  if (job.fabric.world_size() < 2) return bad("FSDP on one rank, expected at least 2");
  if (job.work != Work::training || job.execution == Execution::cuda_graph)
    return bad("FSDP trains, eager or compiled");
  if (job.model->tied_embeddings) {
    return bad("the first and the last unit of FSDP would share the embedding of " + std::string(job.model->id));
  }
  if (job.metrics.of == Metrics::Of::gradients) return bad("FSDP's gradients are shards, which no metric is taken of");
  return {};
}

}  // namespace

Status check_parallelism(const Job& job) {
  using Kind = Parallelism::Kind;
  const auto bad = [](std::string message) { return fail(ErrorCode::invalid_argument, "job: " + std::move(message)); };
  const int32_t world_size = job.fabric.world_size();
  const Parallelism& parallelism = job.parallelism;
  if (parallelism.kind == Kind::one_gpu && world_size != 1) {
    return bad("one GPU, but a world size of " + std::to_string(world_size));
  }
  if (parallelism.kind == Kind::fsdp) return check_fsdp(job);
  if (parallelism.kind != Kind::pipeline) return {};
  if (job.work != Work::training || job.execution == Execution::cuda_graph) {
    return bad("a pipeline trains, eager or compiled");
  }
  const int32_t stages = parallelism.stages;
  if (stages < 2 || stages > 64 || world_size % stages != 0) {
    return bad(std::to_string(stages) + " stages, expected 2 to 64, a divisor of the world size of " +
               std::to_string(world_size));
  }
  if (parallelism.virtual_stages < 1 || parallelism.virtual_stages > 16) {
    return bad(std::to_string(parallelism.virtual_stages) + " chunks a stage, expected 1 to 16");
  }
  if (job.accumulation > 1024) {
    return bad(std::to_string(job.accumulation) + " microbatches, expected at most 1024 in a pipeline");
  }
  if (parallelism.virtual_stages > 1 && job.accumulation % stages != 0) {
    return bad(std::to_string(job.accumulation) + " microbatches, expected a multiple of the " +
               std::to_string(stages) + " stages where chunks are interleaved");
  }
  // Every model has a block for its inputs and one for its loss, and at least one for each layer.
  const int32_t parts = stages * parallelism.virtual_stages;
  if (parts > job.model->layers + 2) {
    return bad(std::to_string(parts) + " parts of " + std::string(job.model->id) + ", which has " +
               std::to_string(job.model->layers) + " layers");
  }
  if (job.model->tied_embeddings) {
    return bad("the first and the last stage of a pipeline would share the embedding of " + std::string(job.model->id));
  }
  return {};
}

int64_t held_parameters(const Job& job) {
  const int64_t all = parameter_count(*job.model);
  if (job.parallelism.kind == Parallelism::Kind::fsdp) {
    // Two units stand whole, weights and gradients: a quarter of a parameter's state each.
    const int64_t unit = all / std::max(1, job.model->layers);
    return std::min(all, all / job.fabric.world_size() + unit / 2);
  }
  if (job.parallelism.kind != Parallelism::Kind::pipeline) return all;
  int64_t largest = 0;
  for (const Parameter& parameter : parameters_of(*job.model)) largest = std::max(largest, parameter.count());
  return std::min(all, all / job.parallelism.stages + largest);
}

double microbatches_in_flight(const Job& job) {
  const Parallelism& parallelism = job.parallelism;
  if (parallelism.kind != Parallelism::Kind::pipeline) return 1;
  int32_t now = 0;
  int32_t most = 0;
  for (const PipelineOp& op : pipeline_schedule(0, parallelism.stages, parallelism.virtual_stages, job.accumulation)) {
    now += op.forward ? 1 : -1;
    most = std::max(most, now);
  }
  return static_cast<double>(most) / (parallelism.stages * parallelism.virtual_stages);
}

int32_t pipeline_rank(const Job& job, int32_t stage, int32_t replica) {
  const Parallelism& parallelism = job.parallelism;
  return parallelism.stages_adjacent ? replica * parallelism.stages + stage : stage * data_parallel_size(job) + replica;
}

TimeNs group_transfer_ns(hardware::Collective collective, int64_t size_bytes, std::span<const int32_t> ranks,
                         const hardware::Fabric& fabric, const hardware::Gpu& gpu) {
  const Shape shape = shape_of(ranks, fabric);
  hardware::Fabric own = fabric;
  own.nodes = shape.nodes;
  own.gpus_per_node = shape.most_in_a_node;
  if (shape.nodes == 1) {
    own.inter = nullptr;
    own.nics_per_node = 0;
    return hardware::transfer_ns(collective, size_bytes, own, gpu);
  }
  const int32_t sharing = std::max(1, fabric.gpus_per_node / shape.most_in_a_node);
  own.nics_per_node = std::max(1, fabric.nics_per_node / sharing);
  // Fewer NICs than groups: each group has a part of one, as if it moved more.
  const int32_t on_each_nic = std::max(1, sharing / std::max(1, fabric.nics_per_node));
  return hardware::transfer_ns(collective, size_bytes * on_each_nic, own, gpu);
}

int32_t nccl_channels(std::span<const int32_t> ranks, const hardware::Fabric& fabric) {
  if (shape_of(ranks, fabric).nodes < 2) return hardware::is_scale_up(*fabric.intra) ? 24 : 8;
  return std::clamp(2 * fabric.nics_per_node, 4, 16);
}

}  // namespace td::sim
