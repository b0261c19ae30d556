#include "sim/job/catalogue.h"

#include <array>
#include <string>

#include "sim/job/predict.h"

namespace td::sim {
namespace {

constexpr int32_t kWorldSize = 8;
constexpr int64_t kMaxKernels = 596;
// A healthy base job: no fix of its communication wins over 2 %, and the host is far ahead.
constexpr double kHealthyExposed = 0.018;
constexpr double kHealthyBusy = 0.975;
// Bandwidth bound: enough to see, not so much that nothing else is left.
constexpr double kBoundExposedLow = 0.09;
constexpr double kBoundExposedHigh = 0.44;
constexpr double kMfuLow = 0.25;
constexpr double kMfuHigh = 0.64;
constexpr TimeNs kMaxStepNs = 1'500 * kNsPerMs;
constexpr int kTries = 4000;

// What a prompt may state: GPU and fabric, with a weight. Each has healthy jobs and bandwidth-bound ones.
struct Stated {
  std::string_view gpu;
  std::string_view fabric;
  int32_t weight;
};
constexpr std::array kStated = {
    Stated{"h100_sxm", "2x4:ib400x4", 2},   Stated{"h100_sxm", "2x4:ib200x4", 2},
    Stated{"h100_sxm", "2x4:eth100x4", 2},  Stated{"h100_sxm", "2x4:eth100x2", 2},
    Stated{"h200", "2x4:ib400x4", 1},       Stated{"h200", "2x4:ib200x4", 1},
    Stated{"h200", "2x4:eth100x4", 1},      Stated{"h200", "2x4:eth100x2", 1},
    Stated{"a100_80gb", "2x4:ib200x4", 2},  Stated{"a100_80gb", "2x4:ib200x2", 2},
    Stated{"a100_80gb", "2x4:eth100x4", 1}, Stated{"a100_80gb", "2x4:eth100x1", 2},
    Stated{"a100_40gb", "2x4:eth100x4", 1}, Stated{"a100_40gb", "2x4:ib200x2", 1},
    Stated{"b200", "2x4:ib400x4", 1},       Stated{"b200", "2x4:ib200x4", 1},
    Stated{"b200", "2x4:eth100x4", 1},      Stated{"l40s", "2x4:eth100x1", 1},
    Stated{"l40s", "2x4:eth25x4", 1},       Stated{"l40s", "2x4:eth25x2", 1},
};
// Of the healthy jobs, this many permille run inside one NVLink node instead, where nothing is bandwidth bound.
constexpr int kOneNodePermille = 80;

// Faster fabrics that a bandwidth-bound job may have been healthy on.
constexpr std::array<std::string_view, 5> kBaseFabrics = {"nvlink", "2x4:ib400x4", "2x4:ib200x4", "2x4:eth100x4",
                                                          "2x4:ib200x2"};
constexpr std::array<int32_t, 11> kBatches = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32};
constexpr std::array<int32_t, 3> kSeqLens = {1024, 2048, 4096};

template <typename List>
const auto& pick(RandomStream& stream, const List& list) {
  return list[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(std::size(list)) - 1))];
}

const Stated& draw_stated(RandomStream& stream) {
  int32_t total = 0;
  for (const Stated& stated : kStated) total += stated.weight;
  int64_t at = stream.uniform_int(0, total - 1);
  for (const Stated& stated : kStated) {
    at -= stated.weight;
    if (at < 0) return stated;
  }
  return kStated.front();
}

// Bytes all-reduced a step over what the fabric carries, against the time of backward at 45 % of peak: below 1 the
// communication hides. Rough, and cheap enough to throw away most of what cannot do.
double rough_pressure(const Job& job) {
  const auto gradient_bytes = parameter_count(*job.model) * trace::size_bytes(job.grad_dtype);
  const auto comm_ns = static_cast<double>(
      hardware::transfer_ns(hardware::Collective::all_reduce, gradient_bytes, job.fabric, *job.gpu));
  const double tokens = static_cast<double>(job.batch) * job.seq_len;
  const double step_flop = training_flop_per_token(*job.model, job.seq_len) * tokens;
  return comm_ns / (step_flop * 2 / 3 / (0.45 * job.gpu->bf16_flop_per_s) * 1e9);
}

bool sound(const Outlook& outlook) {
  return outlook.kernels <= kMaxKernels && outlook.mfu < kMfuHigh && outlook.step_ns <= kMaxStepNs;
}

bool healthy(const Job& job) {
  if (rough_pressure(job) > 1.1) return false;
  const auto outlook = predict(job);
  return outlook && sound(*outlook) && outlook->exposed_frac <= kHealthyExposed && outlook->busy_frac >= kHealthyBusy &&
         outlook->mfu >= kMfuLow;
}

bool bandwidth_bound(const Job& job) {
  const double pressure = rough_pressure(job);
  if (pressure < 0.6 || pressure > 4) return false;
  const auto outlook = predict(job);
  return outlook && sound(*outlook) && outlook->exposed_frac >= kBoundExposedLow &&
         outlook->exposed_frac <= kBoundExposedHigh;
}

Job draw_shape(RandomStream& stream, const hardware::Gpu& gpu, const hardware::Fabric& fabric) {
  Job job{.gpu = &gpu, .fabric = fabric};
  job.model = &pick(stream, all_models());
  job.batch = pick(stream, kBatches);
  job.seq_len = pick(stream, kSeqLens);
  job.grad_dtype = stream.chance_permille(250) ? trace::DType::float32 : trace::DType::bfloat16;
  job.sync_every_step = stream.chance_permille(650);
  job.warmup_steps = 1;
  return job;
}

std::unexpected<Error> nothing_fits(std::string_view gpu, std::string_view fabric) {
  return fail(ErrorCode::internal, "job catalogue: no job suits " + std::string(gpu) + " over " + std::string(fabric));
}

}  // namespace

Result<Job> draw_job(RandomStream& stream) {
  const Stated& stated = draw_stated(stream);
  const bool one_node = stream.chance_permille(kOneNodePermille);
  const hardware::Gpu& gpu = *hardware::find_gpu(stated.gpu);
  const std::string_view text = one_node && gpu.scale_up_bytes_per_s > 0 ? "nvlink" : stated.fabric;
  const hardware::Fabric fabric = TRY(hardware::parse_fabric(text, kWorldSize, &gpu));
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const Job job = draw_shape(stream, gpu, fabric);
    if (healthy(job)) return job;
  }
  return nothing_fits(stated.gpu, text);
}

Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream) {
  const Stated& stated = draw_stated(stream);
  stream.chance_permille(kOneNodePermille);  // as draw_job: the job's draws begin at the same place
  const hardware::Gpu& gpu = *hardware::find_gpu(stated.gpu);
  const hardware::Fabric slow = TRY(hardware::parse_fabric(stated.fabric, kWorldSize, &gpu));
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Job job = draw_shape(stream, gpu, slow);
    if (!bandwidth_bound(job)) continue;
    // On which faster fabric was it healthy? Try them from a drawn one on.
    const auto first = static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(kBaseFabrics.size()) - 1));
    for (size_t i = 0; i < kBaseFabrics.size(); ++i) {
      const auto base = hardware::parse_fabric(kBaseFabrics[(first + i) % kBaseFabrics.size()], kWorldSize, &gpu);
      if (!base) continue;  // NVLink on a part without it
      job.fabric = *base;
      if (healthy(job)) return SlowFabricJob{job, slow};
    }
  }
  return nothing_fits(stated.gpu, stated.fabric);
}

std::optional<hardware::Fabric> draw_slow_fabric(RandomStream& stream, const Job& job) {
  std::vector<hardware::Fabric> fits;
  for (const Stated& stated : kStated) {
    if (stated.gpu != job.gpu->id) continue;
    Job slow = job;
    const auto fabric = hardware::parse_fabric(stated.fabric, job.fabric.world_size(), job.gpu);
    if (!fabric) continue;
    slow.fabric = *fabric;
    if (bandwidth_bound(slow)) fits.push_back(*fabric);
  }
  if (fits.empty()) return std::nullopt;
  return pick(stream, fits);
}

std::vector<Job> healthy_jobs() {
  std::vector<Job> out;
  for (const Stated& stated : kStated) {
    const hardware::Gpu& gpu = *hardware::find_gpu(stated.gpu);
    const auto fabric = hardware::parse_fabric(stated.fabric, kWorldSize, &gpu);
    if (!fabric) continue;
    for (const Model& model : all_models()) {
      for (const int32_t batch : kBatches) {
        for (const int32_t seq_len : kSeqLens) {
          for (const trace::DType dtype : {trace::DType::bfloat16, trace::DType::float32}) {
            Job job{.gpu = &gpu, .fabric = *fabric, .model = &model, .batch = batch, .seq_len = seq_len};
            job.grad_dtype = dtype;
            if (healthy(job)) out.push_back(job);
          }
        }
      }
    }
  }
  return out;
}

}  // namespace td::sim
