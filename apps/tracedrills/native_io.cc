#include "tracedrills/native_io.h"

#include <string>

#include "native/file.h"
#include "native/open_source.h"
#include "native/terminal_progress.h"
#include "native/thread_executor.h"

namespace td::app {

NativeIo::NativeIo(bool any_file)
    : executor_(std::make_unique<native::ThreadExecutor>()), progress_(std::make_unique<native::TerminalProgress>()) {
  io.executor = executor_.get();
  io.progress = progress_.get();
  if (any_file) {
    io.open_source = [](std::string_view name) { return native::open_source(std::string(name)); };
    io.open_sink = [](std::string_view name) -> Result<std::unique_ptr<Sink>> {
      return std::unique_ptr<Sink>(TRY(native::FileSink::create(std::string(name))));
    };
    return;
  }
  io.open_source = [](std::string_view name) -> Result<std::unique_ptr<Source>> {
    return fail(ErrorCode::invalid_argument, "files cannot be opened by name here", std::string(name));
  };
  io.open_sink = [](std::string_view name) -> Result<std::unique_ptr<Sink>> {
    return fail(ErrorCode::invalid_argument, "files cannot be opened by name here", std::string(name));
  };
}

NativeIo::~NativeIo() = default;

std::unique_ptr<NativeIo> native_io() { return std::make_unique<NativeIo>(); }

}  // namespace td::app
