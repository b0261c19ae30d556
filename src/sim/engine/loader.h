// The input pipeline of one rank: worker processes behind a bounded queue, batches handed out in order.
//
// Batch i is made by worker i mod W, one batch at a time. Up to prefetch_factor x W batches are made ahead: batch i may
// be begun once batch i - prefetch_factor x W has been taken. In the long run a batch is ready every batch_ns / W.
// The workers themselves are other processes and leave no rows in a trace of this one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace td::sim {

struct LoaderSpec {
  int32_t workers = 0;   // 0: not modelled, the next batch is always ready
  TimeNs batch_ns = 0;   // a worker's time for one batch, median
  double sigma = 0.004;  // of its logarithm: batches of one number of tokens cost much the same
  int32_t prefetch_factor = 2;
  int32_t slow_worker = -1;  // takes slow_batch_ns for each of its batches: one in `workers` is late
  TimeNs slow_batch_ns = 0;

  [[nodiscard]] bool is_modelled() const { return workers > 0; }
  // Time between two batches when the loader sets the pace.
  [[nodiscard]] TimeNs period_ns() const { return workers > 0 ? batch_ns / workers : 0; }
};

class Loader {
 public:
  // Draws from its own stream of the seed. Worker w begins at w x batch_ns / W: an epoch that has run for a while, not
  // one whose workers have all just begun.
  Loader(const LoaderSpec& spec, uint64_t seed, int rank);

  // When the batch that is asked for at `asked_ns` is in hand. Calls must not go back in time.
  TimeNs next(TimeNs asked_ns);

  // The batch just taken comes `wait_ns` later than next() said, and all workers stand still for that long and for
  // `more_ns`: a cold cache, storage that hangs, a machine that is busy with something else.
  TimeNs hold(TimeNs wait_ns, TimeNs more_ns);

 private:
  LoaderSpec spec_;
  RandomStream draws_;
  std::vector<TimeNs> free_ns_;   // by worker: when it is done with what it has
  std::vector<TimeNs> taken_ns_;  // by batch
};

}  // namespace td::sim
