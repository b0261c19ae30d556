// Each formula a second time, along another way (loops over ranks, layers, tiles, slots, milliseconds instead of closed
// forms), held to values worked by hand and then against every kind of generated problem. What grows with what is asked
// of the same functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "arithmetic/category.h"

namespace td::arithmetic {
namespace {

// Inputs in base units: bytes, seconds, FLOP/s, tokens, parameters; shares as fractions.
struct Given {
  std::map<std::string, double> inputs;
  std::string unit;      // asked for
  std::string question;  // where a variant shows in words alone

  [[nodiscard]] bool has(const std::string& name) const { return inputs.contains(name); }
  double operator[](const std::string& name) const {
    const auto found = inputs.find(name);
    EXPECT_NE(found, inputs.end()) << name << " is no input of: " << question;
    return found == inputs.end() ? NAN : found->second;
  }
  [[nodiscard]] bool says(const std::string& words) const { return question.find(words) != std::string::npos; }
};

// A ring, step by step: a reduce-scatter and an all-gather of n - 1 steps each, one chunk of S/n a step.
double ring_bytes(double size, double n, int passes) {
  double sent = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (int step = 0; step + 1 < static_cast<int>(n); ++step) sent += size / n;
  }
  return sent;
}

double gemm_intensity(const Given& in) {
  // Row by row of the output.
  double flop = 0;
  double bytes = in["k"] * in["n"] * in["input_bytes"];
  for (int row = 0; row < static_cast<int>(in["m"]); ++row) {
    flop += in["n"] * (in["k"] + in["k"]);
    bytes += in["k"] * in["input_bytes"] + in["n"] * in["output_bytes"];
  }
  return flop / bytes;
}

double kv_bytes(const Given& in, double each) {
  double values = 0;
  for (int layer = 0; layer < static_cast<int>(in["layers"]); ++layer)
    values += in["kv_heads"] * in["head_dim"] + in["kv_heads"] * in["head_dim"];
  return values * each;
}

double decode_ceiling(const Given& in) {
  double bytes = in["parameters"] * in["weight_bytes"];
  for (int sequence = 0; sequence < static_cast<int>(in["batch"]); ++sequence) bytes += in["context"] * kv_bytes(in, 2);
  if (in.unit == "GB") return bytes;
  // Tokens of a second: how often each GPU can read its share.
  return in["batch"] * (in["memory_bandwidth"] / (bytes / in["gpus"]));
}

double roofline_knee(const Given& in) {
  if (in.has("share")) return in["peak"] * in["share"] / in["memory_bandwidth"];
  // Time for one byte's worth of work on each side; the longer one is what it takes.
  const double compute_s = in["intensity"] / in["peak"];
  const double memory_s = 1 / in["memory_bandwidth"];
  return in["intensity"] / std::max(compute_s, memory_s);
}

double tile_budget(const Given& in) {
  if (in.has("threads")) {
    // Accumulators dealt out to threads one by one.
    return in["tile_m"] * in["tile_n"] * 32 / in["threads"] / 32;
  }
  const double stage =
      in["tile_m"] * in["tile_k"] * in["element_bytes"] + in["tile_n"] * in["tile_k"] * in["element_bytes"];
  if (in.has("stages")) return in["stages"] * stage;
  int stages = 0;
  while ((stages + 1) * stage <= in["shared_per_block"]) ++stages;
  return stages;
}

double ring_all_reduce(const Given& in) {
  if (in.has("size")) return ring_bytes(in["size"], in["ranks"], 2) / in["bandwidth"];
  return in["time"] * in["bandwidth"] / ring_bytes(1, in["ranks"], 2);
}

double training_step(const Given& in) {
  // Forward is 2 FLOPs a parameter and token, backward twice that.
  const double work = (2 + 4) * in["parameters"] * in["tokens"];
  const double each = work / in["gpus"];
  if (in.has("mfu")) return each / in["peak"] / in["mfu"];
  return each / in["time"] / in["peak"];
}

double kv_capacity(const Given& in) {
  const double sequence = kv_bytes(in, in["kv_bytes"]) * in["context"];
  if (!in.has("memory")) return sequence;
  double left =
      in["gpus"] * in["memory"] - in["gpus"] * in["memory"] * in["kept_back"] - in["parameters"] * in["weight_bytes"];
  int count = 0;
  for (; left >= sequence; left -= sequence) ++count;
  return count;
}

double training_memory(const Given& in) {
  const double n = in["gpus"];
  double bytes = 0;
  bytes += in["parameters"] * in["weight_bytes"] / (in.says("FSDP") ? n : 1);
  bytes += in["parameters"] * in["gradient_bytes"] / (in.says("FSDP") || in.says("ZeRO-2") ? n : 1);
  for (int copy = 0; copy < 3; ++copy) bytes += in["parameters"] * 4 / (in.says("DDP") ? 1 : n);  // master, two moments
  return bytes;
}

double bus_bandwidth(const Given& in) {
  const double sent = ring_bytes(in["size"], in["ranks"], in.says("all_reduce") ? 2 : 1);
  return sent / in["time"] / (in.has("bandwidth") ? in["bandwidth"] : 1);
}

double straggler_or_wire(const Given& in) {
  return in["seen"] - ring_bytes(in["size"], in["ranks"], 2) / in["bus_bandwidth"];
}

double ddp_buckets(const Given& in) {
  int buckets = 0;
  for (double left = in["parameters"] * in["gradient_bytes"]; left > 0; left -= in["bucket_cap"]) ++buckets;
  return buckets;
}

double exposed_communication(const Given& in) {
  // When the communication ends, less when backward does.
  const double begin = (1 - in["overlappable"]) * in["backward"];
  const double others_end = begin + in["communication"] - in["last_bucket"];
  return std::max(others_end, in["backward"]) + in["last_bucket"] - in["backward"];
}

double pipeline_bubble(const Given& in) {
  const double p = in["stages"];
  if (in.has("bubble")) {
    double m = 1;
    while ((p - 1) / (m + p - 1) > in["bubble"] * (1 + 1e-12)) ++m;
    return m;
  }
  // The first stage works m slots; its last backward ends when p - 1 stages before it have had theirs.
  const double lost = (p - 1) / (in.has("chunks") ? in["chunks"] : 1);
  return 1 - in["microbatches"] / (in["microbatches"] + lost);
}

double launch_bound(const Given& in) {
  const double step = in["kernels"] * std::max(in["kernel_time"], in["launch_period"]);
  if (!in.has("graph_gap")) return step;
  double graph = 0;
  for (int i = 0; i < static_cast<int>(in["kernels"]); ++i) graph += in["kernel_time"] + in["graph_gap"];
  return step / graph;
}

double input_supply(const Given& in) {
  if (in.unit == "workers") {
    int workers = 1;
    while (in["batch"] / (workers * in["worker_rate"]) > in["gpu_time"] * (1 + 1e-12)) ++workers;
    return workers;
  }
  return std::max(in["gpu_time"], in["batch"] / in["worker_rate"] / in["workers"]);
}

double host_to_device(const Given& in) {
  double bytes = 0;
  for (int image = 0; image < static_cast<int>(in["batch"]); ++image)
    bytes += in["side"] * in["side"] * (1 + 1 + 1) * in["element_bytes"];
  return bytes / in["bandwidth"];
}

double fsdp_hiding(const Given& in) {
  // With a layer of a billion parameters.
  const double gather_s = ring_bytes(1e9 * in["weight_bytes"], in["gpus"], 1) / in["bus_bandwidth"];
  const double token_s = 2e9 / in["efficiency"] / in["peak"];
  return gather_s / token_s;
}

double optimizer_step(const Given& in) {
  // Read: gradient, master, two moments. Written: master, two moments, weight.
  const double bytes = (2 + 4 + 4 + 4) + (4 + 4 + 4 + 2);
  return in["parameters"] / in["gpus"] / (in["memory_bandwidth"] * in["reached"] / bytes);
}

double moe_dispatch(const Given& in) {
  double sent = 0;
  for (int rank = 1; rank < static_cast<int>(in["expert_parallel"]); ++rank) {  // to each but itself
    sent += in["tokens"] * in["top_k"] / in["expert_parallel"] * in["hidden"] * in["element_bytes"];
  }
  return in.has("bandwidth") ? sent / in["bandwidth"] : sent;
}

double attention_share(const Given& in) {
  // Scores and their product with the values, forward 2 + 2 FLOPs an element, twice that backward, half of it masked.
  const double attention = in["layers"] * in["sequence"] * in["width"] * (2 + 2) * 3 / 2;
  return attention / (in["parameters"] * 2 * 3);
}

double prefill_time(const Given& in) {
  return in["parameters"] * 2 / in["peak"] / in["efficiency"] / in["gpus"] * in["prompt"];
}

double decode_batch_knee(const Given& in) {
  const double ridge = in["peak"] * in["efficiency"] / in["memory_bandwidth"];
  const double intensity_at_one = 2 / in["weight_bytes"];
  return ridge / intensity_at_one;
}

double speculative_gain(const Given& in) {
  const double a = in["acceptance"];
  const double tokens = (1 - std::pow(a, in["drafted"] + 1)) / (1 - a);
  return tokens / (1 + in["drafted"] * in["draft_cost"]);
}

double checkpoint_interval(const Given& in) {
  // The least of C/T + T/2M, by search.
  const auto cost = [&](double t) { return in["cost"] / t + t / (2 * in["mtbf"]); };
  double low = 1;
  double high = 1e7;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3;
    const double b = high - (high - low) / 3;
    if (cost(a) < cost(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return in.unit == "%" ? cost(low) : low;
}

double wave_quantisation(const Given& in) {
  const double blocks = in["m"] / in["tile_m"] * in["n"] / in["tile_n"];
  int waves = 0;
  for (double left = blocks; left > 0; left -= in["sms"]) ++waves;
  return blocks / in["sms"] / waves;
}

double clock_throttle(const Given& in) {
  const double stretched = in["time"] * in["compute_share"] / (in["slow_clock"] / in["full_clock"]);
  const double now = stretched + in["time"] - in["time"] * in["compute_share"];
  return in.unit == "%" ? now / in["time"] - 1 : now;
}

double cost_per_token(const Given& in) { return in["price"] * in["gpus"] / in["rate"] / in["utilisation"]; }

double tp_latency(const Given& in) {
  double time = 0;
  for (int layer = 0; layer < static_cast<int>(in["layers"]); ++layer) time += in["latency"] + in["latency"];
  return in.has("rest") ? 1 - in["rest"] / (time + in["rest"]) : time;
}

double bandwidth_use(const Given& in) {
  return in["rate"] / (in["memory_bandwidth"] / (in["parameters"] * in["weight_bytes"]));
}

double sync_cost(const Given& in) {
  double lost = 0;
  for (int i = 0; i < static_cast<int>(in["syncs"]); ++i) lost += in["idle"];
  return in.unit == "%" ? lost / in["time"] : 1 / (1 - lost / in["time"]);
}

double kernel_bandwidth(const Given& in) {
  const double traffic = in["traffic"] * (in.says("copy") ? 2 : 1);
  if (in.has("reached")) return traffic / in["memory_bandwidth"] / in["reached"];
  return traffic / in["memory_bandwidth"] / in["time"];
}

double occupancy(const Given& in) {
  int blocks = 0;
  while ((blocks + 1) * in["threads"] <= in["threads_per_sm"] &&
         (blocks + 1) * in["threads"] * in["registers"] <= in["registers_per_sm"] &&
         (blocks + 1) * (in["shared"] + 1024) <= in["shared_per_sm"]) {
    ++blocks;
  }
  return in.unit == "%" ? blocks * in["threads"] / in["threads_per_sm"] : blocks;
}

double fsdp_volume(const Given& in) {
  double bytes = 0;
  for (int gather = 0; gather < 2; ++gather) bytes += ring_bytes(in["parameters"] * in["weight_bytes"], in["gpus"], 1);
  bytes += ring_bytes(in["parameters"] * in["gradient_bytes"], in["gpus"], 1);
  return in.has("bandwidth") ? bytes / in["bandwidth"] : bytes;
}

using Second = double (*)(const Given&);
const std::map<std::string, Second>& second_ways() {
  static const std::map<std::string, Second> ways = {{"gemm_intensity", gemm_intensity},
                                                     {"decode_ceiling", decode_ceiling},
                                                     {"roofline_knee", roofline_knee},
                                                     {"tile_budget", tile_budget},
                                                     {"ring_all_reduce", ring_all_reduce},
                                                     {"training_step", training_step},
                                                     {"kv_capacity", kv_capacity},
                                                     {"training_memory", training_memory},
                                                     {"bus_bandwidth", bus_bandwidth},
                                                     {"straggler_or_wire", straggler_or_wire},
                                                     {"ddp_buckets", ddp_buckets},
                                                     {"exposed_communication", exposed_communication},
                                                     {"pipeline_bubble", pipeline_bubble},
                                                     {"launch_bound", launch_bound},
                                                     {"input_supply", input_supply},
                                                     {"host_to_device", host_to_device},
                                                     {"fsdp_hiding", fsdp_hiding},
                                                     {"optimizer_step", optimizer_step},
                                                     {"moe_dispatch", moe_dispatch},
                                                     {"attention_share", attention_share},
                                                     {"prefill_time", prefill_time},
                                                     {"decode_batch_knee", decode_batch_knee},
                                                     {"speculative_gain", speculative_gain},
                                                     {"checkpoint_interval", checkpoint_interval},
                                                     {"wave_quantisation", wave_quantisation},
                                                     {"clock_throttle", clock_throttle},
                                                     {"cost_per_token", cost_per_token},
                                                     {"tp_latency", tp_latency},
                                                     {"bandwidth_use", bandwidth_use},
                                                     {"sync_cost", sync_cost},
                                                     {"kernel_bandwidth", kernel_bandwidth},
                                                     {"occupancy", occupancy},
                                                     {"fsdp_volume", fsdp_volume}};
  return ways;
}

Given given(const Problem& problem) {
  Given out{.inputs = {}, .unit = problem.unit.symbol, .question = problem.question};
  for (const Input& input : problem.inputs) out.inputs[input.name] = input.value.value;
  return out;
}

TEST(Formulas, EveryCategoryAgreesWithItsSecondWay) {
  for (const Category& category : all_categories()) {
    const auto way = second_ways().find(std::string(category.id));
    ASSERT_NE(way, second_ways().end()) << category.id << " has no second derivation";
    int checked = 0;
    for (uint32_t seed = 0; seed < 120; ++seed) {
      const Problem problem = *generate(category, seed);
      if (problem.asks_verdict()) continue;
      const double expected = way->second(given(problem));
      ASSERT_NEAR(problem.answer.value / expected, 1.0, 1e-6) << category.id << " " << seed << "\n" << problem.question;
      ++checked;
    }
    EXPECT_GE(checked, 20) << category.id;
  }
}

// Verdicts, from the inputs alone.
TEST(Formulas, VerdictsAgreeWithTheirSecondWay) {
  const auto each = [](std::string_view id, const std::function<bool(const Given&)>& yes, std::string_view word) {
    int checked = 0;
    for (uint32_t seed = 0; seed < 150; ++seed) {
      const Problem problem = *generate(**find_category(id), seed);
      if (!problem.asks_verdict()) continue;
      ++checked;
      EXPECT_EQ(problem.verdict == word, yes(given(problem))) << problem.question;
    }
    EXPECT_GE(checked, 20) << id;
  };
  each(
      "gemm_intensity", [](const Given& in) { return gemm_intensity(in) / in["peak"] > 1 / in["memory_bandwidth"]; },
      "compute-bound");
  each(
      "roofline_knee", [](const Given& in) { return in["intensity"] / in["peak"] > 1 / in["memory_bandwidth"]; },
      "compute-bound");
  each(
      "tile_budget",
      [](const Given& in) {
        return in.has("threads") ? tile_budget(in) + in["other_registers"] <= 255
                                 : tile_budget(in) <= in["shared_per_block"];
      },
      "yes");
  each("kv_capacity", [](const Given& in) { return kv_capacity(in) >= in["sequences"]; }, "yes");
  each("training_memory", [](const Given& in) { return training_memory(in) <= in["memory"] * 0.75; }, "yes");
  each(
      "straggler_or_wire",
      [](const Given& in) { return in["shortest"] < 2 * ring_bytes(in["size"], in["ranks"], 2) / in["bus_bandwidth"]; },
      "late rank");
  each("launch_bound", [](const Given& in) { return in["launch_period"] > in["kernel_time"]; }, "host-bound");
  each("input_supply", [](const Given& in) { return input_supply(in) > in["gpu_time"]; }, "yes");
  each("fsdp_hiding", [](const Given& in) { return in["tokens"] > fsdp_hiding(in); }, "yes");
}

// Worked by hand; the sums stand beside them.
TEST(Formulas, ByHand) {
  const auto value = [](const char* id, std::map<std::string, double> inputs, std::string unit = "",
                        std::string question = "") {
    return second_ways().at(id)({std::move(inputs), std::move(unit), std::move(question)});
  };
  // M = N = K: AI = N/3 at two bytes, so 8192 gives 2730.7; a vector times a matrix is just below 1.
  EXPECT_NEAR(value("gemm_intensity", {{"m", 8192}, {"n", 8192}, {"k", 8192}, {"input_bytes", 2}, {"output_bytes", 2}}),
              2730.7, 0.1);
  EXPECT_NEAR(value("gemm_intensity", {{"m", 1}, {"n", 4096}, {"k", 4096}, {"input_bytes", 2}, {"output_bytes", 2}}),
              0.9995, 1e-4);
  // Llama-3.1-8B BF16, batch 1, no cache to speak of, one H100: 3350 / 16.06 = 208.6 tok/s.
  EXPECT_NEAR(value("decode_ceiling",
                    {{"parameters", 8.03e9},
                     {"weight_bytes", 2},
                     {"layers", 32},
                     {"kv_heads", 8},
                     {"head_dim", 128},
                     {"context", 1},
                     {"batch", 1},
                     {"gpus", 1},
                     {"memory_bandwidth", 3.35e12}},
                    "tok/s"),
              208.6, 0.1);
  // H100: 10 FLOP/B x 3.35 TB/s = 33.5 TFLOP/s; 500 FLOP/B is past the ridge of 295.
  EXPECT_NEAR(value("roofline_knee", {{"peak", 989e12}, {"memory_bandwidth", 3.35e12}, {"intensity", 10}}), 33.5e12,
              1e8);
  EXPECT_NEAR(value("roofline_knee", {{"peak", 989e12}, {"memory_bandwidth", 3.35e12}, {"intensity", 500}}), 989e12,
              1e8);
  // 128 x 256 on 256 threads: 128 registers. 4 stages of (128 + 256) x 64 x 2 B = 192 KiB; of 227 KiB 4 fit.
  EXPECT_NEAR(value("tile_budget", {{"tile_m", 128}, {"tile_n", 256}, {"threads", 256}}), 128, 1e-9);
  EXPECT_NEAR(
      value("tile_budget", {{"tile_m", 128}, {"tile_n", 256}, {"tile_k", 64}, {"element_bytes", 2}, {"stages", 4}}),
      192 * 1024, 1e-6);
  EXPECT_NEAR(
      value("tile_budget",
            {{"tile_m", 128}, {"tile_n", 256}, {"tile_k", 64}, {"element_bytes", 2}, {"shared_per_block", 232448}}),
      4, 0);
  // 2.62 GB x 1.75 / 450 GB/s = 10.19 ms.
  EXPECT_NEAR(value("ring_all_reduce", {{"size", 2.62e9}, {"ranks", 8}, {"bandwidth", 450e9}}), 10.19e-3, 1e-5);
  // 6 x 70e9 x 1e6 = 4.2e17 FLOP; 64 x 989e12 x 0.4 = 2.53e16: 16.6 s.
  EXPECT_NEAR(
      value("training_step", {{"parameters", 70e9}, {"tokens", 1e6}, {"gpus", 64}, {"peak", 989e12}, {"mfu", 0.4}}),
      16.59, 0.01);
  // Llama-3-70B: 320 KiB a token, 8192 tokens 2.68 GB; 4 x 80 less 10 % less 140 leaves 148: 55.
  EXPECT_NEAR(
      value("kv_capacity", {{"layers", 80}, {"kv_heads", 8}, {"head_dim", 128}, {"kv_bytes", 2}, {"context", 8192}}),
      2.684e9, 1e6);
  EXPECT_NEAR(value("kv_capacity", {{"layers", 80},
                                    {"kv_heads", 8},
                                    {"head_dim", 128},
                                    {"kv_bytes", 2},
                                    {"context", 8192},
                                    {"gpus", 4},
                                    {"memory", 80e9},
                                    {"kept_back", 0.1},
                                    {"parameters", 70e9},
                                    {"weight_bytes", 2}}),
              55, 0);
  // 8e9 x 16 = 128 GB; over 8 GPUs 16 GB; ZeRO-1: 4 + 12/8 = 5.5 bytes, 44 GB.
  const std::map<std::string, double> eight = {
      {"parameters", 8e9}, {"weight_bytes", 2}, {"gradient_bytes", 2}, {"gpus", 8}};
  EXPECT_NEAR(value("training_memory", eight, "GB", "DDP"), 128e9, 1);
  EXPECT_NEAR(value("training_memory", eight, "GB", "FSDP"), 16e9, 1);
  EXPECT_NEAR(value("training_memory", eight, "GB", "ZeRO-1"), 44e9, 1);
  // 1 GiB over 8 ranks in 4.05 ms: 464 GB/s.
  EXPECT_NEAR(value("bus_bandwidth", {{"size", 1073741824}, {"ranks", 8}, {"time", 4.05e-3}}, "GB/s", "all_reduce"),
              464e9, 0.1e9);
  // 0.5 GB x 1.75 / 366 = 2.39 ms of 62: 59.6 wait.
  EXPECT_NEAR(value("straggler_or_wire", {{"size", 0.5e9}, {"ranks", 8}, {"bus_bandwidth", 366e9}, {"seen", 62e-3}}),
              59.6e-3, 1e-4);
  // 1.5e9 x 4 / 26.2e6 = 228.9: 229 buckets.
  EXPECT_NEAR(value("ddp_buckets", {{"parameters", 1.5e9}, {"gradient_bytes", 4}, {"bucket_cap", 25 * 1048576.0}}), 229,
              0);
  // 126 ms under 0.9 x 190 = 171 ms: only the last bucket sticks out.
  EXPECT_NEAR(value("exposed_communication",
                    {{"backward", 0.190}, {"communication", 0.126}, {"overlappable", 0.9}, {"last_bucket", 0.5e-3}}),
              0.5e-3, 1e-9);
  // p 8, m 32: 7/39 = 17.9 %; two chunks 3.5/35.5 = 9.9 %.
  EXPECT_NEAR(value("pipeline_bubble", {{"stages", 8}, {"microbatches", 32}}), 0.1795, 1e-4);
  EXPECT_NEAR(value("pipeline_bubble", {{"stages", 8}, {"microbatches", 32}, {"chunks", 2}}), 0.0986, 1e-4);
  // 400 x max(2.2, 9) us = 3.6 ms; as a graph with 1 us gaps 1.28 ms: 2.8 times.
  EXPECT_NEAR(value("launch_bound", {{"kernels", 400}, {"kernel_time", 2.2e-6}, {"launch_period", 9e-6}}), 3.6e-3,
              1e-9);
  EXPECT_NEAR(
      value("launch_bound", {{"kernels", 400}, {"kernel_time", 2.2e-6}, {"launch_period", 9e-6}, {"graph_gap", 1e-6}}),
      2.8125, 1e-6);
  // 256 / (4 x 180) = 356 ms; 256 / 0.205 / 180 = 6.9: 7 workers.
  EXPECT_NEAR(value("input_supply", {{"batch", 256}, {"workers", 4}, {"worker_rate", 180}, {"gpu_time", 0.205}}),
              0.3556, 1e-4);
  EXPECT_NEAR(value("input_supply", {{"batch", 256}, {"worker_rate", 180}, {"gpu_time", 0.205}}, "workers"), 7, 0);
  // 256 x 3 x 224 x 224 = 38.5 MB at 25 GB/s: 1.54 ms.
  EXPECT_NEAR(value("host_to_device", {{"batch", 256}, {"side", 224}, {"element_bytes", 1}, {"bandwidth", 25e9}}),
              1.541e-3, 1e-6);
  // 2 x 0.5 x 989e12 x 0.875 / (2 x 361e9) = 1199 tokens.
  EXPECT_NEAR(
      value("fsdp_hiding",
            {{"gpus", 8}, {"bus_bandwidth", 361e9}, {"peak", 989e12}, {"efficiency", 0.5}, {"weight_bytes", 2}}),
      1198.6, 0.1);
  // 1e9 x 28 / (0.85 x 3.35e12) = 9.83 ms.
  EXPECT_NEAR(
      value("optimizer_step", {{"parameters", 8e9}, {"gpus", 8}, {"memory_bandwidth", 3.35e12}, {"reached", 0.85}}),
      9.83e-3, 1e-5);
  // 8192 x 8 x 7168 x 7/8 = 411 MB.
  EXPECT_NEAR(value("moe_dispatch",
                    {{"tokens", 8192}, {"top_k", 8}, {"hidden", 7168}, {"element_bytes", 1}, {"expert_parallel", 8}}),
              411.0e6, 0.1e6);
  // 6 x 32 x 4096 x 8192 = 6.4e9 over 4.8e10: 13.4 %.
  EXPECT_NEAR(value("attention_share", {{"layers", 32}, {"width", 4096}, {"sequence", 8192}, {"parameters", 8e9}}),
              0.1342, 1e-4);
  // 2 x 8e9 x 4096 / (0.6 x 989e12) = 110 ms.
  EXPECT_NEAR(value("prefill_time",
                    {{"parameters", 8e9}, {"prompt", 4096}, {"gpus", 1}, {"peak", 989e12}, {"efficiency", 0.6}}),
              0.1104, 1e-4);
  // The ridge, 295, with two bytes; with one byte and BF16 math half of it.
  EXPECT_NEAR(value("decode_batch_knee",
                    {{"peak", 989e12}, {"memory_bandwidth", 3.35e12}, {"efficiency", 1}, {"weight_bytes", 2}}),
              295.2, 0.1);
  EXPECT_NEAR(value("decode_batch_knee",
                    {{"peak", 989e12}, {"memory_bandwidth", 3.35e12}, {"efficiency", 1}, {"weight_bytes", 1}}),
              147.6, 0.1);
  // (1 - 0.8^5) / 0.2 = 3.36 over 1.2: 2.8.
  EXPECT_NEAR(value("speculative_gain", {{"acceptance", 0.8}, {"drafted", 4}, {"draft_cost", 0.05}}), 2.801, 1e-3);
  // sqrt(2 x 30 x 43,200) = 1610 s; 30/1610 = 1.9 %, twice 3.7 %.
  EXPECT_NEAR(value("checkpoint_interval", {{"cost", 30}, {"mtbf", 43200}}, "s"), 1610, 1);
  EXPECT_NEAR(value("checkpoint_interval", {{"cost", 30}, {"mtbf", 43200}}, "%"), 0.0373, 1e-4);
  // 64 x 56 = 3584 tiles, 28 waves of 132: 97 %.
  EXPECT_NEAR(value("wave_quantisation", {{"m", 8192}, {"n", 14336}, {"tile_m", 128}, {"tile_n", 256}, {"sms", 132}}),
              0.9697, 1e-4);
  // 80 % compute at 0.71: 0.8/0.71 + 0.2 = 1.327.
  EXPECT_NEAR(
      value("clock_throttle", {{"time", 1}, {"compute_share", 0.8}, {"slow_clock", 0.71}, {"full_clock", 1}}, "s"),
      1.3268, 1e-4);
  // $3 an hour at 2500 tok/s: $0.33 a million.
  EXPECT_NEAR(value("cost_per_token", {{"price", 3.0 / 3600}, {"gpus", 1}, {"rate", 2500}, {"utilisation", 1}}) * 1e6,
              0.333, 1e-3);
  // 160 x 12 us = 1.92 ms.
  EXPECT_NEAR(value("tp_latency", {{"layers", 80}, {"latency", 12e-6}}), 1.92e-3, 1e-9);
  // 16 GB x 160 / 3350 = 76 %.
  EXPECT_NEAR(
      value("bandwidth_use", {{"parameters", 8e9}, {"weight_bytes", 2}, {"rate", 160}, {"memory_bandwidth", 3.35e12}}),
      0.764, 1e-3);
  // 72 x 120 us of 95 ms: 9.1 %.
  EXPECT_NEAR(value("sync_cost", {{"syncs", 72}, {"idle", 120e-6}, {"time", 95e-3}}, "%"), 0.0909, 1e-4);
  // 2.1 GB in 0.8 ms on an H200: 2.625 of 4.8 TB/s.
  EXPECT_NEAR(value("kernel_bandwidth", {{"traffic", 2.1e9}, {"time", 0.8e-3}, {"memory_bandwidth", 4.8e12}}), 0.547,
              1e-3);
  // 168 registers, 384 threads, 226 KiB: one block, 384 / 2048 = 19 %.
  EXPECT_NEAR(value("occupancy",
                    {{"threads", 384},
                     {"registers", 168},
                     {"shared", 226 * 1024.0},
                     {"shared_per_sm", 228 * 1024.0},
                     {"threads_per_sm", 2048},
                     {"registers_per_sm", 65536}},
                    "%"),
              0.1875, 1e-6);
  // 3 x 7/8 x 16 GB = 42 GB.
  EXPECT_NEAR(value("fsdp_volume", {{"parameters", 8e9}, {"weight_bytes", 2}, {"gradient_bytes", 2}, {"gpus", 8}}),
              42e9, 1);
}

struct Law {
  const char* category;
  const char* input;
  int sign;  // of the answer's change when the input grows
};

// More of one thing, with the rest as it is, never moves the answer the wrong way.
TEST(Formulas, GrowWithWhatTheyShould) {
  const Law laws[] = {{"decode_ceiling", "memory_bandwidth", 1},
                      {"decode_ceiling", "gpus", 1},
                      {"roofline_knee", "peak", 1},
                      {"ring_all_reduce", "ranks", 0},
                      {"training_step", "gpus", -1},
                      {"training_step", "parameters", 1},
                      {"kv_capacity", "memory", 1},
                      {"training_memory", "gpus", -1},
                      {"training_memory", "parameters", 1},
                      {"bus_bandwidth", "size", 1},
                      {"straggler_or_wire", "seen", 1},
                      {"ddp_buckets", "parameters", 1},
                      {"exposed_communication", "communication", 1},
                      {"launch_bound", "launch_period", 1},
                      {"input_supply", "batch", 1},
                      {"host_to_device", "bandwidth", -1},
                      {"fsdp_hiding", "bus_bandwidth", -1},
                      {"optimizer_step", "memory_bandwidth", -1},
                      {"moe_dispatch", "hidden", 1},
                      {"attention_share", "sequence", 1},
                      {"prefill_time", "peak", -1},
                      {"decode_batch_knee", "peak", 1},
                      {"speculative_gain", "draft_cost", -1},
                      {"checkpoint_interval", "cost", 1},
                      {"clock_throttle", "compute_share", 1},
                      {"cost_per_token", "rate", -1},
                      {"tp_latency", "latency", 1},
                      {"bandwidth_use", "rate", 1},
                      {"sync_cost", "idle", 1},
                      {"occupancy", "registers", -1},
                      {"fsdp_volume", "parameters", 1}};
  for (const Law& law : laws) {
    int moved = 0;
    for (uint32_t seed = 0; seed < 60; ++seed) {
      const Problem problem = *generate(**find_category(law.category), seed);
      if (problem.asks_verdict()) continue;
      Given more = given(problem);
      if (!more.has(law.input)) continue;
      const double before = second_ways().at(law.category)(more);
      more.inputs[law.input] *= 1.25;
      const double after = second_ways().at(law.category)(more);
      // The number of ranks changes a ring by less than it changes itself.
      if (law.sign == 0) {
        EXPECT_NEAR(after / before, 1.0, 0.34) << problem.question;
      } else {
        EXPECT_GE((after - before) * law.sign, 0) << law.input << " of: " << problem.question;
      }
      ++moved;
    }
    EXPECT_GT(moved, 5) << law.category << " " << law.input;
  }
}

}  // namespace
}  // namespace td::arithmetic
