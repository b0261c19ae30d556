// Attention as a model file writes it by hand: scores = q k^T, scaled and masked, softmax in FP32, dropout, times v.
// Each step is its own kernel over all scores. Private to job/, but for the sizes.
#pragma once

#include <cstdint>

#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// batch x heads x seq_len^2, of one layer and microbatch.
int64_t attention_scores(const Job& job);
// Older decoders (no gated MLP) drop out attention probabilities.
bool has_attention_dropout(const Model& model);
// Through HBM for each score of a layer, forward and backward: what the kernels over the scores read and write of them.
int64_t bytes_per_score(const Model& model);

void write_math_attention_forward(const Job& job, const Software& software, int32_t sequence, ProgramWriter& writer);
void write_math_attention_backward(const Job& job, const Software& software, int32_t sequence, ProgramWriter& writer);

}  // namespace td::sim
