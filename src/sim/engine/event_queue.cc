#include "sim/engine/event_queue.h"

#include <algorithm>

namespace td::sim {
namespace {

// Heap order: the top is the earliest.
bool later(const Event& a, const Event& b) {
  if (a.at_ns != b.at_ns) return a.at_ns > b.at_ns;
  return a.sequence > b.sequence;
}

}  // namespace

void EventQueue::push(TimeNs at_ns, EventType type, int32_t rank, int32_t id, uint32_t version) {
  heap_.push_back({at_ns, next_sequence_++, type, rank, id, version});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

Event EventQueue::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Event event = heap_.back();
  heap_.pop_back();
  return event;
}

}  // namespace td::sim
