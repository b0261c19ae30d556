// The models that are not decoders, a family a file. What each makes of Model's fields stands with its graph; a sample
// of these families has a size of its own (an image, a clip, a row of a log), so that Job::seq_len does not change
// their work unless it says so. Private to job/.
#pragma once

#include "sim/job/graph.h"
#include "sim/job/job.h"

namespace td::sim {

// BERT-like: bidirectional, biases, norms after the adds, dropout; masked-token loss. seq_len tokens a sample.
Graph encoder_graph(const Job& job, const Software& software);
// Images of 224 x 224 in patches of 14 or 16: 196 or 256 tokens and a class token.
Graph vit_graph(const Job& job, const Software& software);
// Bottleneck blocks; model.layers is 50, 101 or 152.
Graph resnet_graph(const Job& job, const Software& software);
// Diffusion transformer over latents of 64 x 64, patches of 4: 256 tokens a sample, conditioned by timestep and class.
Graph diffusion_graph(const Job& job, const Software& software);
// Embedding bags, two MLPs and pairwise interactions; batch is samples of a click log.
Graph recsys_graph(const Job& job, const Software& software);
// Three layers of message passing over a sampled neighbourhood; batch is seed nodes.
Graph gnn_graph(const Job& job, const Software& software);
// Thirty seconds of audio: mel spectrum, two convolutions, encoder of 1500 frames.
Graph speech_graph(const Job& job, const Software& software);

}  // namespace td::sim
