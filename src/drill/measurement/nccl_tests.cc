#include <algorithm>

#include "drill/explain_parts.h"
#include "drill/measurement.h"
#include "drill/text.h"
#include "hardware/fabric.h"

namespace td::drill::measurement {
namespace {

std::string padded(std::string text) {
  text.resize(std::max<size_t>(text.size(), 12), ' ');
  return text;
}

Result<MeasurementPrint> run(const MeasurementInput& input) {
  const sim::Job& job = input.instance.job;
  const int32_t ranks = job.fabric.world_size();
  MeasurementPrint print;
  if (ranks < 2) {
    print.command = "$ all_reduce_perf -b 8M -e 512M -f 8 -g 1";
    print.lines.emplace_back("one GPU: nothing goes over a fabric");
    return print;
  }
  print.command = "$ mpirun -np " + std::to_string(ranks) + " all_reduce_perf -b 8M -e 512M -f 8 -g 1";
  print.lines.emplace_back("size (B)    time (us)   busbw (GB/s)");
  for (const int64_t size_bytes : {8 * kMiB, 64 * kMiB, 512 * kMiB}) {
    const TimeNs dur_ns = hardware::transfer_ns(hardware::Collective::all_reduce, size_bytes, job.fabric, *job.gpu);
    print.lines.push_back(padded(std::to_string(size_bytes)) + padded(decimal_text(dur_ns, kNsPerUs, 0)) +
                          decimal_text(busbw_of(size_bytes, dur_ns, ranks), kNsPerS, 1));
  }
  return print;
}

}  // namespace

PaidMeasurement nccl_tests() { return {.id = "nccl_tests", .price_s = 20, .run = run}; }

}  // namespace td::drill::measurement
