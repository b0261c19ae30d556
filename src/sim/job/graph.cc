#include "sim/job/graph.h"

#include "sim/job/families.h"
#include "sim/job/transformer.h"

namespace td::sim {

Graph make_graph(const Job& job, const Software& software) {
  switch (job.model->family) {
    case Family::decoder:
      return decoder_graph(job, software);
    case Family::encoder:
      return encoder_graph(job, software);
    case Family::vit:
      return vit_graph(job, software);
    case Family::resnet:
      return resnet_graph(job, software);
    case Family::diffusion:
      return diffusion_graph(job, software);
    case Family::recsys:
      return recsys_graph(job, software);
    case Family::gnn:
      return gnn_graph(job, software);
    case Family::speech:
      return speech_graph(job, software);
  }
  return {};
}

std::vector<Parameter> parameters_of(const Model& model) {
  // Parameters do not depend on the batch or the GPU.
  const Job job{.gpu = &hardware::all_gpus().front(), .fabric = {}, .model = &model, .batch = 1, .seq_len = 512};
  return make_graph(job, {}).parameters;
}

}  // namespace td::sim
