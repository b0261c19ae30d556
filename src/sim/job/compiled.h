// The frames that torch.compile shows around its kernels, and what is seen when a guard fails. What becomes of the
// kernels is in fusion.h. Private to job/.
#pragma once

#include <string_view>

#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// The batch with another shape: as many tokens, in twice the sequences of half the length (a sampler that fills batches
// up to a number of tokens).
Job reshaped_job(const Job& job);

// The frames around a compiled forward: the cache lookup, the compiler if a guard has failed, the region.
void begin_compiled(ProgramWriter& writer);
void end_compiled(ProgramWriter& writer);
// Around the kernels of one graph, in forward or backward.
void begin_compiled_graph(ProgramWriter& writer, bool forward);
void end_compiled_graph(ProgramWriter& writer);

// A compilation of that length, with its frames, wherever it comes.
void write_compile(TimeNs compile_ns, ProgramWriter& writer);

}  // namespace td::sim
