// Prints one hash over the traces of fixed jobs, faults and seeds. Every compiler and target must print the same; the
// expected one is tests/golden/hash.txt. With --each, one line a run, to find which differs.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "sim/job/catalogue.h"
#include "sim/simulate.h"
#include "trace/dump.h"

namespace {

using td::RandomStream;
using td::sim::FaultInstance;
using td::sim::Job;

struct Case {
  std::string name;
  Job job;
  std::vector<FaultInstance> faults;
  uint64_t seed = 0;
};

td::Result<std::vector<Case>> cases() {
  std::vector<Case> out;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    RandomStream stream(seed, "drill.job");
    const Job job = TRY(td::sim::draw_job(stream));
    const std::string text = std::to_string(seed);
    out.push_back({"healthy " + text, job, {}, seed});
    const FaultInstance clock = {.fault = "slow_clock",
                                 .numbers = {{"rank", static_cast<int64_t>(seed)}, {"factor_permille", 760}},
                                 .words = {}};
    out.push_back({"slow_clock " + text, job, {clock}, seed});
    RandomStream again(seed, "drill.job");
    const td::sim::SlowFabricJob slow = TRY(td::sim::draw_slow_fabric_job(again));
    const FaultInstance fabric = {
        .fault = "slow_fabric", .numbers = {}, .words = {{"fabric", td::hardware::fabric_text(slow.slow_fabric)}}};
    out.push_back({"slow_fabric " + text, slow.job, {fabric}, seed});
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const bool each = argc > 1 && std::strcmp(argv[1], "--each") == 0;
  const auto list = cases();
  if (!list) {
    std::fprintf(stderr, "td_hash: %s\n", list.error().text().c_str());
    return 1;
  }
  uint64_t total = 0xcbf29ce484222325ULL;
  for (const Case& entry : *list) {
    const auto done = td::sim::simulate(entry.job, entry.faults, entry.seed);
    if (!done) {
      std::fprintf(stderr, "td_hash: %s: %s\n", entry.name.c_str(), done.error().text().c_str());
      return 1;
    }
    const uint64_t hash = td::trace::hash_of(done->trace);
    if (each) std::printf("%016llx %s\n", static_cast<unsigned long long>(hash), entry.name.c_str());
    total = (total ^ hash) * 0x100000001b3ULL;
    total ^= total >> 29;
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(total));
  return 0;
}
