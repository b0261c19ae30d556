// From the click to the screen: `open` (draw, simulate, encode the columns) and the answer's key (`reveal`: the same,
// the counterfactual, the truth), over a hundred drills of the core deck, one thread. The counter "worst_ms" is the
// slowest, in processor time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "api/api.h"
#include "base/io.h"
#include "base/json.h"

namespace {

constexpr int kDrills = 100;
constexpr int kFirstSeed = 500'000;

void call_each(benchmark::State& state, const char* method, const std::string& more) {
  td::SerialExecutor executor;
  td::NoProgress progress;
  td::api::Io io;
  io.executor = &executor;
  io.progress = &progress;
  int seed = kFirstSeed;
  double worst_ms = 0;
  double bytes = 0;
  for (auto _ : state) {
    const auto request = td::parse_json(R"({"drill":"core.1/)" + std::to_string(seed++) + "\"" + more + "}");
    const std::clock_t begin = std::clock();
    auto reply = td::api::call(method, *request, io);
    const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (!reply) state.SkipWithError(reply.error().text().c_str());
    worst_ms = std::max(worst_ms, ms);
    bytes += reply ? static_cast<double>(reply->blob.size()) : 0;
  }
  state.counters["worst_ms"] = worst_ms;
  state.counters["mean_MB"] = bytes / kDrills / 1e6;
}

void open_drill(benchmark::State& state) { call_each(state, "open", ""); }
BENCHMARK(open_drill)->Unit(benchmark::kMillisecond)->Iterations(kDrills);

void reveal_drill(benchmark::State& state) { call_each(state, "reveal", R"(,"commit":{"diagnosis":"inconclusive"})"); }
BENCHMARK(reveal_drill)->Unit(benchmark::kMillisecond)->Iterations(kDrills);

}  // namespace
