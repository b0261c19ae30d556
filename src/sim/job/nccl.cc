#include "sim/job/nccl.h"

#include <algorithm>
#include <string>

#include "sim/job/layout.h"

namespace td::sim {
namespace {

using trace::CollectiveKind;

// A message keeps one block a channel busy, and few channels fill one link: it takes less from the compute beside it
// than a ring does. Our estimate.
constexpr double kMessageFootprint = 0.25;
constexpr int32_t kMessageChannels = 8;

using hardware::is_amd;

std::string kernel_name(CollectiveKind kind, trace::DType dtype, const hardware::Gpu& gpu) {
  constexpr std::string_view kArgs = "(ncclDevKernelArgsStorage<4096ul>)";
  if (is_amd(gpu)) return "ncclDevKernel_Generic_1" + std::string(kArgs);
  const std::string type = dtype == trace::DType::float32 ? "f32" : dtype == trace::DType::float16 ? "f16" : "bf16";
  std::string text = "ncclDevKernel_";
  switch (kind) {
    case CollectiveKind::all_gather:
      text += "AllGather_RING_LL";
      break;
    case CollectiveKind::reduce_scatter:
      text += "ReduceScatter_Sum_" + type + "_RING_LL";
      break;
    case CollectiveKind::send_recv:
    case CollectiveKind::all_to_all:
      text += "SendRecv";
      break;
    default:
      text += "AllReduce_Sum_" + type + "_RING_LL";
      break;
  }
  return text + std::string(kArgs);
}

hardware::Collective costed_as(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_gather:
      return hardware::Collective::all_gather;
    case CollectiveKind::reduce_scatter:
      return hardware::Collective::reduce_scatter;
    case CollectiveKind::all_to_all:
      return hardware::Collective::all_to_all;
    case CollectiveKind::send_recv:
      return hardware::Collective::send_recv;
    default:
      return hardware::Collective::all_reduce;
  }
}

}  // namespace

KernelShape nccl_kernel(CollectiveKind kind, trace::DType dtype, int32_t channels, const hardware::Gpu& gpu) {
  return {.name = kernel_name(kind, dtype, gpu),
          .grid = {static_cast<uint32_t>(channels), 1, 1},
          .block = {is_amd(gpu) ? 256U : 544U, 1, 1},
          .registers_per_thread = 96,
          .shared_memory_bytes = is_amd(gpu) ? 29664 : 83024};
}

void write_collective(const CollectiveCall& call, const Job& job, ProgramWriter& writer) {
  const bool message = call.kind == CollectiveKind::send_recv;
  const int32_t all_channels = nccl_channels(call.ranks, job.fabric);
  const int32_t channels = message ? std::min(all_channels, kMessageChannels) : all_channels;
  const int64_t size_bytes = std::max(call.in_count, call.out_count) * trace::size_bytes(call.dtype);
  const CollectiveSpec spec{
      .kernel = writer.kernel_spec(nccl_kernel(call.kind, call.dtype, channels, *job.gpu), {}),
      .kind = call.kind,
      .dtype = call.dtype,
      .in_count = call.in_count,
      .out_count = call.out_count,
      .transfer_ns = group_transfer_ns(costed_as(call.kind), size_bytes, call.ranks, job.fabric, *job.gpu),
      .group = call.group,
      .footprint = message ? kMessageFootprint : 1.0};
  writer.op(call.op, 9'000, call.shape);
  writer.op("record_param_comms", 6'000, call.shape);
  writer.record_event(call.ready_event, kComputeStream);
  writer.wait_event(call.ready_event, call.stream);
  writer.annotation(call.annotation, 3'000);
  writer.collective(spec, 8'000, call.stream);
  writer.end(2'000);
  writer.record_event(call.done_event, call.stream);
  writer.end(2'000);
  writer.end(2'000);
}

}  // namespace td::sim
