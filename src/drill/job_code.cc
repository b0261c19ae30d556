#include "drill/job_code.h"

namespace td::drill {
namespace {

using Kind = sim::Parallelism::Kind;

std::string_view inputs_of(sim::Family family) {
  switch (family) {
    case sim::Family::vit:
    case sim::Family::resnet:
    case sim::Family::diffusion:
      return "images";
    case sim::Family::recsys:
      return "features";
    case sim::Family::gnn:
      return "nodes";
    case sim::Family::speech:
      return "frames";
    case sim::Family::decoder:
    case sim::Family::encoder:
      break;
  }
  return "tokens";
}

std::string start_of(const sim::Job& job, std::string_view file) {
  if (job.fabric.world_size() == 1) return "python " + std::string(file);
  const int32_t nodes = job.fabric.world_size() / job.fabric.gpus_per_node;
  return "torchrun " + (nodes > 1 ? "--nnodes " + std::to_string(nodes) + " " : std::string()) + "--nproc-per-node " +
         std::to_string(job.fabric.gpus_per_node) + " " + std::string(file);
}

std::string model_of(const sim::Job& job) {
  if (job.work != sim::Work::training) return "";
  switch (job.parallelism.kind) {
    case Kind::one_gpu:
      return "";
    case Kind::ddp:
      return "model = DDP(model)";
    case Kind::fsdp:
      return "for block in model.blocks:\n    fully_shard(block)\nfully_shard(model)";
    case Kind::pipeline:
      return job.parallelism.virtual_stages > 1 ? "chunks = [PipelineStage(part, i, p, device) for i, part in parts]"
                                                : "stage = PipelineStage(part, rank, p, device)";
  }
  return "";
}

}  // namespace

JobCode code_of(const sim::Job& job) {
  const bool trains = job.work == sim::Work::training;
  const std::string_view file = trains ? "train.py" : "serve.py";
  return {.start = start_of(job, file),
          .file = file,
          .once = trains ? "steps" : "requests",
          .inputs = inputs_of(job.model->family),
          .model = model_of(job)};
}

std::string_view meets_in(const sim::Job& job) {
  switch (job.parallelism.kind) {
    case Kind::one_gpu:
      return "";
    case Kind::ddp:
      return "all-reduce";
    case Kind::fsdp:
      return "all-gather and reduce-scatter";
    case Kind::pipeline:
      return "send and receive";
  }
  return "";
}

}  // namespace td::drill
