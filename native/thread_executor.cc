#include "native/thread_executor.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace td::native {

ThreadExecutor::ThreadExecutor(size_t thread_count)
    : thread_count_(thread_count > 0 ? thread_count : std::max<size_t>(std::thread::hardware_concurrency(), 1)) {}

void ThreadExecutor::parallel_for(size_t count, const std::function<void(size_t)>& body) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) body(i);
  };
  std::vector<std::jthread> helpers;  // join when they go out of scope
  const size_t threads = std::min(thread_count_, count);
  for (size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
}

}  // namespace td::native
