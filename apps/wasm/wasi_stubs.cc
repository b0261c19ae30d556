// What libc wants from its host, answered here, so that the module imports nothing and runs anywhere. The core does no
// I/O: these are reached at most by an abort message, and the answer is EBADF (8), as WASI numbers it.
#include <cstdint>

extern "C" {

// Debian 12's compiler-rt for wasm32 was built with stack protection; 128-bit division pulls these in.
uintptr_t __stack_chk_guard = 0xe2dee396U;
void __stack_chk_fail() { __builtin_trap(); }

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_fd_fdstat_get(int32_t, int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_fd_read(int32_t, int32_t, int32_t, int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t, int64_t, int32_t, int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t, int32_t, int32_t, int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_environ_get(int32_t, int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_environ_sizes_get(int32_t, int32_t) { return 8; }
int32_t __imported_wasi_snapshot_preview1_clock_time_get(int32_t, int64_t, int32_t) { return 8; }
void __imported_wasi_snapshot_preview1_proc_exit(int32_t) { __builtin_trap(); }

}  // extern "C"
