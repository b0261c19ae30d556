// Recent replies, so that going back to a drill is instant. Holds pure results only: the same request always gives the
// same bytes, and never one that tells the truth of a drill. Safe to use from several threads.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace td::app::http {

class ReplyCache {
 public:
  struct Entry {
    std::shared_ptr<const std::string> body;
    bool framed = false;  // has a blob: application/x-tracedrills
  };

  // Keeps at most `capacity_bytes` of keys and bodies; a reply over a quarter of that is not kept.
  explicit ReplyCache(size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  // The entry, which becomes the most recent one, or one without a body.
  Entry find(const std::string& key);

  void put(const std::string& key, Entry entry);

  [[nodiscard]] size_t size_bytes() const;

 private:
  struct Slot {
    std::string key;
    Entry entry;
  };

  size_t capacity_bytes_;
  mutable std::mutex mutex_;
  size_t size_bytes_ = 0;
  std::list<Slot> slots_;  // most recent first
  std::unordered_map<std::string_view, std::list<Slot>::iterator> by_key_;
};

}  // namespace td::app::http
