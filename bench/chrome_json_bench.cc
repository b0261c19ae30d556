// Reading Kineto JSON from memory: bytes of the file per second, one thread.
#include <benchmark/benchmark.h>

#include <string>

#include "base/io.h"
#include "formats/format.h"

namespace {

// Ops, launches and kernels as torch.profiler writes them today, about 70 MB of them.
std::string kineto_text() {
  std::string out = "{\"schemaVersion\":1,\"traceEvents\":[\n";
  int64_t ns = 5'000'000'000'000'000;
  for (int i = 0; i < 80'000; ++i, ns += 61'417) {
    const std::string id = std::to_string(i + 1);
    const auto us = [](int64_t at_ns) {
      std::string rest = std::to_string(at_ns % 1000);
      return std::to_string(at_ns / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
    };
    out += "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 4211, \"tid\": 4211,\n  \"ts\": " +
           us(ns) + ", \"dur\": 41.530,\n  \"args\": {\n    \"External id\": " + id +
           ",\"Record function id\": 0, \"Input Dims\": [[8192, 4096], [4096, 14336]], \"Input type\": "
           "[\"c10::BFloat16\", "
           "\"c10::BFloat16\"], \"Ev Idx\": " +
           id + "\n  }\n},\n";
    out +=
        "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernelExC\", \"pid\": 4211, \"tid\": 4211,\n "
        " \"ts\": " +
        us(ns + 20'000) + ", \"dur\": 5.920,\n  \"args\": {\n    \"External id\": " + id +
        ", \"cbid\": 430, \"correlation\": " + id + "\n  }\n},\n{\"ph\": \"s\", \"id\": " + id +
        ", \"pid\": 4211, \"tid\": 4211, \"ts\": " + us(ns + 20'000) +
        ",\n  \"cat\": \"ac2g\", \"name\": \"ac2g\"\n},\n";
    out +=
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNN\", \"pid\": 0, "
        "\"tid\": 7,\n  \"ts\": " +
        us(ns + 30'000) + ", \"dur\": 58.114,\n  \"args\": {\n    \"External id\": " + id +
        ",\n    \"queued\": 0, \"device\": 0, \"context\": 1,\n    \"stream\": 7, \"correlation\": " + id +
        ",\n    \"registers per thread\": 168,\n    \"shared memory\": 213656,\n    \"blocks per SM\": 1.0,\n    "
        "\"warps per SM\": "
        "12.0,\n    \"grid\": [2, 66, 1],\n    \"block\": [384, 1, 1],\n    \"est. achieved occupancy %\": 19\n  "
        "}\n},\n";
  }
  return out + "{}]}\n";
}

void read_kineto(benchmark::State& state) {
  static const std::string text = kineto_text();
  for (auto _ : state) {
    td::MemorySource source(text, "bench.json");
    td::NoProgress progress;
    auto ranks = td::formats::read_any(source, progress);
    if (!ranks || ranks->front().slice_count() != 240'000) state.SkipWithError("the text was not read whole");
    benchmark::DoNotOptimize(ranks);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(text.size()));
}
BENCHMARK(read_kineto)->Unit(benchmark::kMillisecond);

}  // namespace
