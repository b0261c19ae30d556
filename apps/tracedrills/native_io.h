// What the commands and the server hand to api::call: this machine's files, threads and terminal.
#pragma once

#include <memory>

#include "api/api.h"

namespace td::app {

// Owns executor and progress; `io` points to them, so keep it as long as `io` is used.
class NativeIo {
 public:
  // any_file: `io` opens every path that the caller names; without it (the server) none.
  explicit NativeIo(bool any_file = true);
  ~NativeIo();

  api::Io io;

 private:
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Progress> progress_;
};

// An Io that opens every path: gzip is unpacked, written files appear when they are whole.
std::unique_ptr<NativeIo> native_io();

}  // namespace td::app
