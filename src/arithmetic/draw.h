// What categories draw from: chips, models and round numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "arithmetic/category.h"
#include "arithmetic/term.h"
#include "base/random.h"
#include "hardware/gpu.h"
#include "hardware/llm.h"
#include "hardware/spec.h"

namespace td::arithmetic {

struct Chip {
  const hardware::Gpu* gpu = nullptr;
  const hardware::ChipSpec* spec = nullptr;

  [[nodiscard]] std::string title() const { return std::string(gpu->title); }
};

// Any chip of hardware/spec.h.
Chip draw_chip(RandomStream& stream);
// One with NVLink or another fabric between the GPUs of a node.
Chip draw_linked_chip(RandomStream& stream);
// A dense model of at most so many billion parameters.
const hardware::Llm& draw_llm(RandomStream& stream, double most_b = 1000);

// One of the list, all equally likely.
template <typename T>
T one_of(RandomStream& stream, std::initializer_list<T> list) {
  return list.begin()[stream.uniform_int(0, static_cast<int64_t>(list.size()) - 1)];
}

// `value` as it prints with so many digits: sums start from what the question shows.
double rounded(double value, int significant = 3);
// Between low and high, even on a logarithmic scale, rounded.
double spread(RandomStream& stream, double low, double high, int significant = 2);
// 2^low .. 2^high.
double power_of_two(RandomStream& stream, int low, int high);

// "4 × H100 SXM", "one H100 SXM".
std::string count_of(int64_t count, std::string_view title);

// Inputs that many categories state, with their source.
Term state_peak(Worksheet& sheet, const Chip& chip);       // dense BF16, TFLOP/s
Term state_fp8_peak(Worksheet& sheet, const Chip& chip);   // dense FP8
Term state_bandwidth(Worksheet& sheet, const Chip& chip);  // of the memory, TB/s
Term state_memory(Worksheet& sheet, const Chip& chip);     // label, GB
Term state_parameters(Worksheet& sheet, const hardware::Llm& llm);

inline constexpr std::string_view kModelSource = "Model shapes: config.json of the published weights.";
inline constexpr std::string_view kDense =
    "Peak rates are dense (no sparsity); a multiply-add is 2 FLOPs. G = 10⁹, T = 10¹².";
inline constexpr std::string_view kOneWay = "Bandwidth is one way, per GPU. GB = 10⁹ bytes.";

}  // namespace td::arithmetic
