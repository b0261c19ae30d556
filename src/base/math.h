// log and exp that give the same bits on every compiler and target.
//
// glibc's differ from musl's and even between CPUs (FMA or not); these use only + - * / and exact scaling, so that
// simulated traces are byte-identical on g++, clang and wasm32. Build with -ffp-contract=off.
#pragma once

#include <cstdint>

namespace td {

// Natural logarithm; relative error below 1e-14. x must be finite and > 0.
double log_exact(double x);

// e to the x; relative error below 1e-13. |x| is clamped to 700.
double exp_exact(double x);

// Nearest integer, halves away from zero. x must fit int64_t.
int64_t round_to_int(double x);

}  // namespace td
