// The simulator's clock: events in order of (time, sequence), so that equal times run in the order of insertion.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"

namespace td::sim {

enum class EventType : uint8_t {
  host,            // a host thread goes on; id = thread
  kernel_end,      // the head of a stream ends; id = stream
  stream_ready,    // the head of a stream may start; id = stream
  collective_end,  // the transfer of collective `id` is done
  rank_exit,       // one rank's collective kernel ends; id = stream
};

struct Event {
  TimeNs at_ns = 0;
  uint64_t sequence = 0;
  EventType type = EventType::host;
  int32_t rank = 0;
  int32_t id = 0;
  uint32_t version = 0;  // stale events carry an old one
};

class EventQueue {
 public:
  void push(TimeNs at_ns, EventType type, int32_t rank, int32_t id, uint32_t version = 0);
  // The earliest event. The queue must not be empty.
  Event pop();
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  // When the earliest event is due; INT64_MAX if there is none.
  [[nodiscard]] TimeNs next_ns() const { return heap_.empty() ? INT64_MAX : heap_.front().at_ns; }

 private:
  std::vector<Event> heap_;
  uint64_t next_sequence_ = 0;
};

}  // namespace td::sim
