#include "sim/job/allocator.h"

#include "sim/job/program_writer.h"

namespace td::sim {
namespace {

// The request that fails returns at once.
constexpr TimeNs kFailedMallocNs = 90'000;
// Between two cudaFree: the allocator's own lists.
constexpr TimeNs kBookkeepingNs = 3'000;
constexpr TimeNs kCallNs = 100'000;
constexpr int64_t kFreeNsPerGb = 200'000;
constexpr int64_t kMallocNsPerGb = 300'000;
constexpr int64_t kGb = 1'000'000'000;

}  // namespace

TimeNs malloc_ns(int64_t size_bytes) { return kCallNs + size_bytes / 1000 * kMallocNsPerGb / (kGb / 1000); }

TimeNs free_ns(int64_t size_bytes) { return kCallNs + size_bytes / 1000 * kFreeNsPerGb / (kGb / 1000); }

TimeNs held_ns(const AllocatorMiss& miss) {
  return miss.freed_segments * (miss.free_ns + kBookkeepingNs) + miss.map_ns;
}

int32_t write_allocator_miss(const AllocatorMiss& miss, Program& program) {
  const size_t segment = program.segments.size();
  program.segments.emplace_back();
  ProgramWriter writer(program);
  writer.write_to(program.segments[segment]);
  if (miss.freed_segments > 0) writer.call("cudaMalloc", kFailedMallocNs);
  for (int32_t freed = 0; freed < miss.freed_segments; ++freed) {
    writer.blocking_call("cudaFree", miss.free_ns);
    writer.work(kBookkeepingNs);
  }
  writer.call("cudaMalloc", miss.map_ns);
  return static_cast<int32_t>(segment);
}

}  // namespace td::sim
