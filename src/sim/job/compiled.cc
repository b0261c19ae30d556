#include "sim/job/compiled.h"

#include <string>

namespace td::sim {
namespace {

// Shares of a compilation in permille, as reported for models of this kind: tracing a fifth, the backend the rest, most
// of it in Triton's compiler. `passes` lets a share of the whole pass.
template <typename Passes>
void write_frames(ProgramWriter& writer, const Passes& passes) {
  writer.op("_compile.compile_inner (dynamo_timed)", 0);
  writer.op("entire_frame_compile (dynamo_timed)", 0);
  passes(210);
  writer.op("backend_compile (dynamo_timed)", 0);
  passes(190);
  writer.op("inductor_codegen (dynamo_timed)", 0);
  passes(220);
  writer.end(0);
  writer.op("async_compile.wait (dynamo_timed)", 0);
  passes(360);
  writer.end(0);
  writer.end(0);
  writer.end(0);
  passes(20);
  writer.end(0);
}

// A guard has failed: Dynamo traces the frame again, Inductor generates and compiles its kernels.
void compile(ProgramWriter& writer) {
  write_frames(writer, [&](int32_t permille) { writer.stall(permille); });
}

}  // namespace

Job reshaped_job(const Job& job) {
  Job out = job;
  out.batch = 2 * job.batch;
  out.seq_len = job.seq_len / 2;
  return out;
}

void begin_compiled(ProgramWriter& writer) {
  writer.leaf("TorchDynamo Cache Lookup", 28'000);
  // The frame's second entry is what the failed guard has led to.
  writer.in_stall([&] {
    compile(writer);
    writer.op("Torch-Compiled Region: 0/1", 12'000);
  });
  writer.without_stall([&] { writer.op("Torch-Compiled Region: 0/0", 12'000); });
  writer.leaf("Pregraph bytecode", 9'000);
  writer.leaf("AOTDispatcher Runtime Wrapper Prologue", 7'000);
}

void write_compile(TimeNs compile_ns, ProgramWriter& writer) {
  write_frames(writer, [&](int32_t permille) { writer.pass(compile_ns / 1000 * permille); });
}

void end_compiled(ProgramWriter& writer) { writer.end(6'000); }

void begin_compiled_graph(ProgramWriter& writer, bool forward) {
  writer.op(forward ? "CompiledFunction" : "CompiledFunctionBackward", 11'000);
  // The name of Inductor's cache entry: a hash in base 32.
  writer.annotation(forward ? "## Call CompiledFxGraph fq5mw3zkxk7b2ulxnr6ydjv4tqsa3g7oecihp5wlzk2rdbtyn6vj ##"
                            : "## Call CompiledFxGraph fc2hta7odxlrqz4yjwpm6vbnk3suyge5oir7lfhdxq6tzanbk4wp ##",
                    14'000);
}

void end_compiled_graph(ProgramWriter& writer) {
  writer.end(4'000);
  writer.end(5'000);
}

}  // namespace td::sim
