// Kernels that should take equally long: the same name on the same grid.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/measured.h"

namespace td::analysis {

// The same name on the same grid, for the same op on the same shapes where these are recorded (a product's grid does
// not tell its inner dimension); by text, so that ranks and traces can be compared.
struct KernelKey {
  std::string_view name;
  std::array<uint32_t, 3> grid = {0, 0, 0};
  std::string_view op;
  std::string_view shapes;
  friend auto operator<=>(const KernelKey&, const KernelKey&) = default;
};

struct KernelSample {
  trace::SliceId slice = trace::kNoSlice;
  TimeNs dur_ns = 0;
  double under_comm_frac = 0;  // of its length
};

// Compute kernels of the rank's steady steps. Keys hold views into the rank's strings.
std::map<KernelKey, std::vector<KernelSample>> kernel_groups(const MeasuredRank& rank);

// Kernels by what their names say they do.
bool is_stream_kernel(std::string_view name);     // elementwise, reduction, norm, copy: bound by memory
bool is_product_kernel(std::string_view name);    // matrix products, convolutions, attention
bool is_attention_kernel(std::string_view name);  // fused or not, forward or backward
bool is_expert_kernel(std::string_view name);     // grouped products of a mixture of experts

// Compute capability, major: of the catalogue's GPU, else what the device name says, also of parts that the catalogue
// does not hold (7 Volta and Turing, 8 Ampere and Ada, 9 Hopper, 10 Blackwell); 0 if it says nothing.
int32_t compute_major_of(const Measured& measured);

// Time of the compute kernels that `wanted` names, summed over the steady steps, mean per step.
TimeNs kernel_time_ns(const MeasuredRank& rank, const std::function<bool(std::string_view)>& wanted);

// How much longer the kernels that two ranks share take on the first one: each kind by its median, weighted by how
// often both run it; 1 without any.
double pace_of(const MeasuredRank& rank, const MeasuredRank& other);

}  // namespace td::analysis
