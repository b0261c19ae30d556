// What the caching allocator does where it misses: calls of the launching thread that wait for the device, then work.
//
// Scope: what the host is seen to do, and for how long. Which block fits where is not modelled: a fault says where a
// request finds no cached block. Times of calls are estimates from practice (docs/models/allocator.md), not measured.
#pragma once

#include <cstdint>

#include "sim/engine/program.h"
#include "sim/job/job.h"

namespace td::sim {

// A request finds no block in the cache, and the device has no memory left to map: the allocator frees all cached
// segments that are unused, one cudaFree each, and maps a new one. The first cudaFree waits for all earlier work.
struct AllocatorMiss {
  int32_t step = 0;            // recorded step
  bool in_backward = false;    // on the autograd thread, else in what the main thread runs
  int32_t place_permille = 0;  // of that thread's work in the step
  int32_t freed_segments = 0;  // 0: the device has memory left, and a segment is mapped without freeing any
  TimeNs free_ns = 0;          // median of one cudaFree, the wait apart
  TimeNs map_ns = 0;           // median of the cudaMalloc that succeeds
};

// How long the device is held up by it once it has run dry, median.
TimeNs held_ns(const AllocatorMiss& miss);

// cudaMalloc of a new segment: 0.1 ms + 0.3 ms per GB. cudaFree of one: 0.1 ms + 0.2 ms per GB.
TimeNs malloc_ns(int64_t size_bytes);
TimeNs free_ns(int64_t size_bytes);

// Adds the calls as a segment of the program, to be run as a detour; returns the segment.
int32_t write_allocator_miss(const AllocatorMiss& miss, Program& program);

}  // namespace td::sim
