// The gates over fresh drills (README.md). Exit code 1 if a bound is not met.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>

#include "formats/format.h"
#include "lifelike.h"
#include "native/open_source.h"
#include "native/thread_executor.h"
#include "report.h"
#include "sample.h"

namespace {

using namespace td;

// core.1/3000000000 to core.1/3000000599 are kept for this: no part of the product was developed on them.
constexpr uint32_t kFirstSeed = 3'000'000'000;
constexpr uint32_t kCount = 600;

uint32_t number_of(std::string_view text) {
  uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// One line a rank: the quantities of real traces.
int measure_files(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    NoProgress progress;
    auto source = native::open_source(argv[i]);
    if (!source) {
      std::fprintf(stderr, "%s: %s\n", argv[i], source.error().text().c_str());
      continue;
    }
    auto ranks = formats::read_any(**source, progress);
    if (!ranks) {
      std::fprintf(stderr, "%s: %s\n", argv[i], ranks.error().text().c_str());
      continue;
    }
    for (const trace::RankTrace& rank : *ranks) {
      const gates::Lifelike lifelike = gates::measure_lifelike(rank, 0);
      for (const gates::LifelikeField& field : gates::kLifelikeFields) std::printf("%.1f\t", lifelike.*field.value);
      std::printf("%zu\t%s\n", rank.slice_count(), argv[i]);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  uint32_t first = kFirstSeed;
  uint32_t count = kCount;
  if (argc > 1 && std::string_view(argv[1]) == "--measure") return measure_files(argc, argv);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--first") first = number_of(argv[i + 1]);
    if (std::string_view(argv[i]) == "--count") count = number_of(argv[i + 1]);
  }
  const auto begin = std::chrono::steady_clock::now();
  std::vector<gates::Sample> samples(count);
  native::ThreadExecutor executor;
  executor.parallel_for(count, [&](size_t i) { samples[i] = gates::draw_sample(first + static_cast<uint32_t>(i)); });
  std::printf("%u instances, core.1/%u and on\n", count, first);
  const int failures = gates::report(samples);
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%s: %d bounds not met, %.0f s\n", failures == 0 ? "passed" : "FAILED", failures, wall_s);
  return failures == 0 ? 0 : 1;
}
