#include "tracedrills/http/reply_cache.h"

namespace td::app::http {

ReplyCache::Entry ReplyCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return {};
  slots_.splice(slots_.begin(), slots_, found->second);
  return slots_.front().entry;
}

void ReplyCache::put(const std::string& key, Entry entry) {
  const size_t cost_bytes = key.size() + entry.body->size();
  if (cost_bytes > capacity_bytes_ / 4) return;
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;  // two requests computed the same; both hold the same bytes
  slots_.push_front({key, std::move(entry)});
  by_key_.emplace(slots_.front().key, slots_.begin());
  size_bytes_ += cost_bytes;
  while (size_bytes_ > capacity_bytes_) {
    const Slot& oldest = slots_.back();
    size_bytes_ -= oldest.key.size() + oldest.entry.body->size();
    by_key_.erase(oldest.key);
    slots_.pop_back();
  }
}

size_t ReplyCache::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return size_bytes_;
}

}  // namespace td::app::http
