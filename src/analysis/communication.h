// Communication of a job against what its fabric can carry: shared by the detectors of communication causes.
#pragma once

#include <optional>
#include <string>

#include "analysis/measured.h"

namespace td::analysis {

// Means per step over the ranks that have one. Messages between pipeline stages are left out: their waits are the
// schedule's (analysis/pipeline.h).
struct CommunicationCost {
  TimeNs step_ns = 0;
  TimeNs compute_ns = 0;
  TimeNs comm_ns = 0;
  TimeNs exposed_ns = 0;
  TimeNs hidden_ns = 0;
  std::optional<TimeNs> wait_ns;  // exposed, until the last arrival
  std::optional<TimeNs> transfer_ns;
};
CommunicationCost communication_cost(const Measured& measured);

// The steady steps' collectives against bytes x factor / busbw of the fabric.
struct FabricCheck {
  TimeNs measured_ns = 0;  // sum of transfer times
  TimeNs expected_ns = 0;  // sum of hardware::transfer_ns
  int64_t calls = 0;
  int64_t size_bytes = 0;    // S, summed
  double moved_bytes = 0;    // S x factor, summed
  double covered_frac = 0;   // of all communication kernels' time that could be checked
  bool has_float32 = false;  // most of the bytes are fp32
};
// For the first rank with steps. Transfer times are the shortest over the ranks where all are here, else this rank's
// own (then they may hold waiting). Nothing if the fabric or the GPU is unknown, or no call says its bytes.
std::optional<FabricCheck> check_fabric(const Measured& measured);
// Which dtype most bytes of the first rank's collectives have.
trace::DType main_dtype(const Measured& measured);

// What a job gains by fewer bytes a token.
struct FewerBytes {
  TimeNs gain_ns = 0;        // per step, or per step's worth of tokens
  TimeNs step_ns = 0;        // after
  int32_t accumulation = 1;  // microbatches where there was one; 1 for half the bytes
};
// Gradients at half their width, each step's collectives replayed.
FewerBytes with_half_the_bytes(const Measured& measured);
// Gradient accumulation over the fewest of 2, 3 or 4 that brings exposed communication to 4 % (else 4), per token: a
// microbatch without all-reduce takes the step without exposed communication and without what follows it (the
// optimizer).
FewerBytes with_accumulation(const Measured& measured, const CommunicationCost& cost);

}  // namespace td::analysis
