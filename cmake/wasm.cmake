# Toolchain file for the browser's core: cmake -S . -B build/wasm -G Ninja --toolchain cmake/wasm.cmake
# clang 19, lld 19, wasi-libc and libc++ from the distribution; no JavaScript glue.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})  # Platform/WASI.cmake

find_program(TD_WASM_CC NAMES clang-19 REQUIRED)
find_program(TD_WASM_CXX NAMES clang++-19 REQUIRED)
set(CMAKE_C_COMPILER ${TD_WASM_CC})
set(CMAKE_CXX_COMPILER ${TD_WASM_CXX})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -fno-rtti")

# A trial link needs what apps/wasm/wasi_stubs.cc gives, so compile only.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
