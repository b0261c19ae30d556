#include "sim/engine/loader.h"

#include <algorithm>

#include "base/math.h"

namespace td::sim {
namespace {

// What a call costs with the batch there: 60 to 150 us.
constexpr int64_t kReadyLowNs = 60'000;
constexpr int64_t kReadyHighNs = 150'000;
// From the worker's process to this one: shared memory, and the pickled description of the tensors.
constexpr int64_t kHandOverLowNs = 200'000;
constexpr int64_t kHandOverHighNs = 1'000'000;

}  // namespace

Loader::Loader(const LoaderSpec& spec, uint64_t seed, int rank) : spec_(spec), draws_(seed, "loader", rank) {
  for (int32_t worker = 0; worker < spec.workers; ++worker) free_ns_.push_back(worker * spec.period_ns());
}

TimeNs Loader::next(TimeNs asked_ns) {
  const size_t batch = taken_ns_.size();
  const size_t ahead = free_ns_.size() * static_cast<size_t>(spec_.prefetch_factor);
  TimeNs& free_ns = free_ns_[batch % free_ns_.size()];
  const auto worker = static_cast<int32_t>(batch % free_ns_.size());
  const TimeNs batch_ns = worker == spec_.slow_worker ? spec_.slow_batch_ns : spec_.batch_ns;
  const TimeNs begin_ns = batch < ahead ? free_ns : std::max(free_ns, taken_ns_[batch - ahead]);
  free_ns = begin_ns + round_to_int(static_cast<double>(batch_ns) * draws_.lognormal(spec_.sigma));
  const TimeNs ready_ns = free_ns + draws_.uniform_int(kHandOverLowNs, kHandOverHighNs);
  taken_ns_.push_back(std::max(asked_ns, ready_ns) + draws_.uniform_int(kReadyLowNs, kReadyHighNs));
  return taken_ns_.back();
}

TimeNs Loader::hold(TimeNs wait_ns, TimeNs more_ns) {
  for (TimeNs& free_ns : free_ns_) free_ns += wait_ns + more_ns;
  taken_ns_.back() += wait_ns;
  return taken_ns_.back();
}

}  // namespace td::sim
