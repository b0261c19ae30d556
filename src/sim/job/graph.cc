#include "sim/job/graph.h"

#include "sim/job/transformer.h"

namespace td::sim {

Graph make_graph(const Job& job, const Software& software) {
  switch (job.model->family) {
    case Family::decoder:
      return decoder_graph(job, software);
    default:
      return {};
  }
}

std::vector<Parameter> parameters_of(const Model& model) {
  // Parameters do not depend on the batch or the GPU.
  const Job job{.gpu = &hardware::all_gpus().front(), .fabric = {}, .model = &model, .batch = 1, .seq_len = 128};
  return make_graph(job, {}).parameters;
}

}  // namespace td::sim
