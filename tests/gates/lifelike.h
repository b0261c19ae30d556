// Quantities by which a simulated trace can be told from a real one: measured alike on both.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "trace/trace.h"

namespace td::gates {

// Of the first rank. -1 where the trace has none.
struct Lifelike {
  double gap_p50_ns = -1;  // idle between neighbouring kernels of the busiest stream, where there is any
  double gap_p90_ns = -1;
  double run_ahead_p10_ns = -1;  // kernel's start minus its launch's start
  double run_ahead_p50_ns = -1;
  double api_p50_ns = -1;  // length of the calls that launch kernels
  double api_p90_ns = -1;
  double slices_per_kernel = -1;
  double bytes_per_kernel = -1;  // of the file, 0 bytes: not known
};

struct LifelikeField {
  std::string_view name;
  double Lifelike::* value;
};
inline constexpr std::array kLifelikeFields = {
    LifelikeField{"gap p50 ns", &Lifelike::gap_p50_ns},
    LifelikeField{"gap p90 ns", &Lifelike::gap_p90_ns},
    LifelikeField{"run-ahead p10 ns", &Lifelike::run_ahead_p10_ns},
    LifelikeField{"run-ahead p50 ns", &Lifelike::run_ahead_p50_ns},
    LifelikeField{"launch call p50 ns", &Lifelike::api_p50_ns},
    LifelikeField{"launch call p90 ns", &Lifelike::api_p90_ns},
    LifelikeField{"slices a kernel", &Lifelike::slices_per_kernel},
    LifelikeField{"file bytes a kernel", &Lifelike::bytes_per_kernel},
};

// file_bytes: size of the rank's file, uncompressed; 0 if unknown.
Lifelike measure_lifelike(const trace::RankTrace& rank, int64_t file_bytes);

}  // namespace td::gates
