#include "sim/job/compiled.h"

#include <string>

namespace td::sim {
namespace {

// "aten::native_layer_norm" -> "native_layer_norm".
std::string_view bare(std::string_view op_name) {
  const size_t at = op_name.rfind("::");
  return at == std::string_view::npos ? op_name : op_name.substr(at + 2);
}

// A guard has failed: Dynamo traces the frame again, Inductor generates and compiles its kernels. Shares of the whole
// as reported for models of this kind: tracing a fifth, the backend the rest, most of it in Triton's compiler.
void compile(ProgramWriter& writer) {
  writer.op("_compile.compile_inner (dynamo_timed)", 0);
  writer.op("entire_frame_compile (dynamo_timed)", 0);
  writer.stall(210);
  writer.op("backend_compile (dynamo_timed)", 0);
  writer.stall(190);
  writer.op("inductor_codegen (dynamo_timed)", 0);
  writer.stall(220);
  writer.end(0);
  writer.op("async_compile.wait (dynamo_timed)", 0);
  writer.stall(360);
  writer.end(0);
  writer.end(0);
  writer.end(0);
  writer.stall(20);
  writer.end(0);
}

}  // namespace

Job reshaped_job(const Job& job) {
  Job out = job;
  out.batch = 2 * job.batch;
  out.seq_len = job.seq_len / 2;
  return out;
}

KernelShape triton_kernel(std::string_view op_name, const KernelShape& eager, TritonKind kind) {
  KernelShape out = eager;
  const std::string_view family = kind == TritonKind::pointwise ? "triton_poi_fused_" : "triton_red_fused_";
  out.name = std::string(family) + std::string(bare(op_name)) + "_0";
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
  writer.op("CompiledFunction", 18'000);
}

void end_compiled(ProgramWriter& writer) {
  writer.end(6'000);
  writer.end(6'000);
}

}  // namespace td::sim
