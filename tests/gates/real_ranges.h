// What real traces come to (lifelike.h), the smallest and the largest: `td_gates --measure` over them.
#pragma once

#include <array>

#include "lifelike.h"

namespace td::gates {

struct Range {
  double least = 0;
  double most = 0;
};

// In the order of kLifelikeFields. Traces of over 2000 slices: TraceLens (MIT) h100 and mi300 Qwen1.5-0.5B, BERT-small
// and nsfw_image_detection; HolisticTraceAnalysis (MIT) nccl_parser_config, ns_resolution_trace, timeline_analysis and
// trace_filter; libkineto's samples (BSD) resnet50_num_workers_0 and _4; HPCTraining's (AMD) ddp_resnet, four ranks;
// particle_transformer run 1. Where one sets an end, it is named. Files before 2022 count whole microseconds, which
// makes their shortest gap 1 us; mi300 has gaps of 1 ns.
inline constexpr std::array<Range, kLifelikeFields.size()> kRealRanges = {{
    {1, 67'000},          // gap p50: mi300 Qwen, trace_filter
    {1, 1'394'000},       // gap p90: mi300 Qwen, trace_filter
    {5'000, 24'890'000},  // run-ahead p10: trace_filter, ns_resolution
    {6'380, 76'470'000},  // run-ahead p50: h100 nsfw_image_detection, ns_resolution
    {3'330, 12'000},      // launch call p50: h100 Qwen, resnet50_num_workers_4
    {5'127, 148'400},     // launch call p90: mi300 BERT-small, ns_resolution
    {4.2, 39.5},          // slices a kernel: trace_filter, mi300 BERT-small
    {1'518, 20'021},      // file bytes a kernel: trace_filter, mi300 BERT-small
}};

}  // namespace td::gates
