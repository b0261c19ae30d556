// parallel_for over threads.
#pragma once

#include "base/io.h"

namespace td::native {

class ThreadExecutor final : public Executor {
 public:
  // thread_count 0: one a core.
  explicit ThreadExecutor(size_t thread_count = 0);
  void parallel_for(size_t count, const std::function<void(size_t)>& body) override;

 private:
  size_t thread_count_;
};

}  // namespace td::native
