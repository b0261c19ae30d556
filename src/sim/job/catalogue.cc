#include "sim/job/catalogue.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

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

// What a prompt may state: GPU and fabric, with a weight. Each has healthy jobs and
// bandwidth-bound ones of both gradient types (an A100 over ib200x4 or an H200 over ib400x4 has the latter in FP32
// only).
struct Stated {
  std::string_view gpu;
  std::string_view fabric;
  int32_t weight;
};
constexpr std::array kStated = {
    Stated{"h100_sxm", "2x4:ib400x4", 2},   Stated{"h100_sxm", "2x4:ib200x4", 2},
    Stated{"h100_sxm", "2x4:eth100x4", 2},  Stated{"h100_sxm", "2x4:eth100x2", 2},
    Stated{"h200", "2x4:ib200x2", 1},       Stated{"h200", "2x4:ib200x4", 1},
    Stated{"h200", "2x4:eth100x4", 1},      Stated{"h200", "2x4:eth100x2", 1},
    Stated{"a100_80gb", "2x4:eth100x2", 2}, Stated{"a100_80gb", "2x4:ib200x2", 2},
    Stated{"a100_80gb", "2x4:eth100x4", 1}, Stated{"a100_80gb", "2x4:eth100x1", 2},
    Stated{"a100_40gb", "2x4:eth100x4", 1}, Stated{"a100_40gb", "2x4:ib200x2", 1},
    Stated{"b200", "2x4:ib400x4", 1},       Stated{"b200", "2x4:ib200x4", 1},
    Stated{"b200", "2x4:eth100x4", 1},      Stated{"l40s", "2x4:eth100x1", 1},
    Stated{"l40s", "2x4:eth25x4", 1},       Stated{"l40s", "2x4:eth25x2", 1},
};
// Of the healthy jobs, this many permille run inside one NVLink node instead, where nothing is bandwidth bound.
constexpr int kOneNodePermille = 80;
// This many permille reduce FP32 gradients, where a job allows it.
constexpr int kFloat32Permille = 200;

// Faster fabrics that a bandwidth-bound job may have been healthy on.
constexpr std::array<std::string_view, 2> kBaseFabrics = {"2x4:ib200x4", "2x4:ib400x4"};
constexpr std::array<int32_t, 11> kBatches = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32};
constexpr std::array<int32_t, 3> kSeqLens = {1024, 2048, 4096};

template <typename List>
const auto& pick(RandomStream& stream, const List& list) {
  return list[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(std::size(list)) - 1))];
}

template <typename T>
void shuffle(RandomStream& stream, std::vector<T>& list) {
  for (size_t left = list.size(); left > 1; --left) {
    std::swap(list[left - 1], list[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(left) - 1))]);
  }
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

// At 45 % of peak.
double rough_step_ns(const Job& job) {
  const double tokens = static_cast<double>(job.batch) * job.seq_len;
  return training_flop_per_token(*job.model, job.seq_len) * tokens / (0.45 * job.gpu->bf16_flop_per_s) * 1e9;
}

// Time of a step's all-reduces against that of backward: below 1 the communication hides. Rough, and cheap enough to
// throw away most of what cannot do.
double rough_pressure(const Job& job) {
  const int64_t bytes = parameter_count(*job.model) * trace::size_bytes(job.grad_dtype);
  const auto comm_ns =
      static_cast<double>(hardware::transfer_ns(hardware::Collective::all_reduce, bytes, job.fabric, *job.gpu));
  return comm_ns / (rough_step_ns(job) * 2 / 3);
}

// Share of the step that the last gradient, the embedding's, takes to cross: nothing is left to hide it.
double rough_tail(const Job& job) {
  const int64_t bytes = int64_t{job.model->vocab} * job.model->hidden * trace::size_bytes(job.grad_dtype);
  const auto tail_ns =
      static_cast<double>(hardware::transfer_ns(hardware::Collective::all_reduce, bytes, job.fabric, *job.gpu));
  return tail_ns / rough_step_ns(job);
}

// Two shapes of the same work differ a little in what they expose.
constexpr double kPruneSlack = 0.9;

// How a job falls short. Exposure falls as the work of a step rises, so most shapes need not be tried.
enum class Verdict : uint8_t { suits, more_work, less_work, other_model, no };

Verdict healthy(const Job& job) {
  if (!check_job(job)) return Verdict::less_work;
  if (rough_pressure(job) > 1.0 || rough_tail(job) > 2 * kHealthyExposed) return Verdict::more_work;
  const auto outlook = predict(job);
  if (!outlook) return Verdict::no;
  if (outlook->kernels > kMaxKernels) return Verdict::other_model;
  if (outlook->step_ns > kMaxStepNs) return Verdict::less_work;
  if (outlook->exposed_frac > kHealthyExposed || outlook->busy_frac < kHealthyBusy || outlook->mfu < kMfuLow) {
    return Verdict::more_work;
  }
  return outlook->mfu < kMfuHigh ? Verdict::suits : Verdict::no;
}

Verdict bandwidth_bound(const Job& job) {
  if (!check_job(job)) return Verdict::less_work;
  const double pressure = rough_pressure(job);
  if (pressure < 0.8) return Verdict::less_work;
  if (pressure > 3.3) return Verdict::more_work;
  const auto outlook = predict(job);
  if (!outlook) return Verdict::no;
  if (outlook->kernels > kMaxKernels) return Verdict::other_model;
  if (outlook->step_ns > kMaxStepNs || outlook->exposed_frac < kBoundExposedLow) return Verdict::less_work;
  return outlook->exposed_frac > kBoundExposedHigh ? Verdict::more_work : Verdict::suits;
}

// All shapes in a drawn order, model by model, so that no model is rarer than another for fitting seldom: the first
// that suits.
template <typename Suits>
std::optional<Job> draw_shape(RandomStream& stream, const hardware::Gpu& gpu, const hardware::Fabric& fabric,
                              const Suits& suits) {
  Job job{.gpu = &gpu, .fabric = fabric};
  job.sync_every_step = stream.chance_permille(650);
  const bool fp32_first = stream.chance_permille(kFloat32Permille);
  struct Shape {
    int32_t batch;
    int32_t seq_len;
  };
  std::vector<Shape> shapes;
  for (const int32_t batch : kBatches) {
    for (const int32_t seq_len : kSeqLens) shapes.push_back({batch, seq_len});
  }
  std::vector<const Model*> models;
  for (const Model& model : all_models()) models.push_back(&model);
  shuffle(stream, models);
  for (const bool fp32 : {fp32_first, !fp32_first}) {
    job.grad_dtype = fp32 ? trace::DType::float32 : trace::DType::bfloat16;
    for (const Model* model : models) {
      job.model = model;
      shuffle(stream, shapes);
      double more_than_ns = 0;
      double less_than_ns = 1e18;
      for (const Shape& shape : shapes) {
        job.batch = shape.batch;
        job.seq_len = shape.seq_len;
        const double work_ns = rough_step_ns(job);
        if (work_ns < more_than_ns * kPruneSlack || work_ns > less_than_ns / kPruneSlack) continue;
        const Verdict verdict = suits(job);
        if (verdict == Verdict::suits) return job;
        if (verdict == Verdict::more_work) more_than_ns = std::max(more_than_ns, work_ns);
        if (verdict == Verdict::less_work) less_than_ns = std::min(less_than_ns, work_ns);
        if (verdict == Verdict::other_model) break;
      }
    }
  }
  return std::nullopt;
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
  const std::optional<Job> job = draw_shape(stream, gpu, fabric, healthy);
  if (!job) return nothing_fits(stated.gpu, text);
  return *job;
}

Result<Job> draw_light_job(RandomStream& stream, TimeNs max_step_ns) {
  const auto suits = [&](const Job& job) {
    if (rough_step_ns(job) > 1.3 * static_cast<double>(max_step_ns)) return Verdict::less_work;
    const Verdict verdict = healthy(job);
    if (verdict != Verdict::suits) return verdict;
    const auto outlook = predict(job);
    return outlook && outlook->step_ns <= max_step_ns ? Verdict::suits : Verdict::less_work;
  };
  constexpr int kDraws = 60;
  for (int draws = 0; draws < kDraws; ++draws) {
    const Stated& stated = draw_stated(stream);
    const hardware::Gpu& gpu = *hardware::find_gpu(stated.gpu);
    for (const std::string_view text : {stated.fabric, std::string_view("nvlink")}) {
      if (text == "nvlink" && gpu.scale_up_bytes_per_s <= 0) continue;
      const hardware::Fabric fabric = TRY(hardware::parse_fabric(text, kWorldSize, &gpu));
      if (const std::optional<Job> job = draw_shape(stream, gpu, fabric, suits)) return *job;
    }
  }
  return nothing_fits("any GPU", "any fabric, with a step this short");
}

Result<Job> draw_job_that(RandomStream& stream, bool (*also)(const Job& job)) {
  constexpr int kDraws = 24;
  std::string tried;
  for (int draws = 0; draws < kDraws; ++draws) {
    const Stated& stated = draw_stated(stream);
    const bool one_node = stream.chance_permille(kOneNodePermille);
    const hardware::Gpu& gpu = *hardware::find_gpu(stated.gpu);
    const std::string_view text = one_node && gpu.scale_up_bytes_per_s > 0 ? "nvlink" : stated.fabric;
    const hardware::Fabric fabric = TRY(hardware::parse_fabric(text, kWorldSize, &gpu));
    const auto suits = [&](const Job& job) {
      const Verdict verdict = healthy(job);
      return verdict == Verdict::suits && !also(job) ? Verdict::no : verdict;
    };
    if (const std::optional<Job> job = draw_shape(stream, gpu, fabric, suits)) return *job;
    tried = text;
  }
  return nothing_fits("any GPU", tried);
}

Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream) {
  const Stated& stated = draw_stated(stream);
  stream.chance_permille(kOneNodePermille);  // as draw_job: the job's draws begin at the same place
  const hardware::Gpu& gpu = *hardware::find_gpu(stated.gpu);
  const hardware::Fabric slow = TRY(hardware::parse_fabric(stated.fabric, kWorldSize, &gpu));
  // It must have been healthy on the fastest fabric; before, it ran on that or on a drawn one, if healthy there too.
  const std::string_view fastest = gpu.scale_up_bytes_per_s > 0 ? "nvlink" : kBaseFabrics.back();
  const hardware::Fabric best = TRY(hardware::parse_fabric(fastest, kWorldSize, &gpu));
  const hardware::Fabric other = TRY(hardware::parse_fabric(pick(stream, kBaseFabrics), kWorldSize, &gpu));
  const auto suits = [&](const Job& job) {
    Job before = job;
    before.fabric = best;
    if (rough_tail(before) > 2 * kHealthyExposed) return Verdict::more_work;
    const Verdict verdict = bandwidth_bound(job);
    return verdict == Verdict::suits ? healthy(before) : verdict;
  };
  std::optional<Job> job = draw_shape(stream, gpu, slow, suits);
  if (!job) return nothing_fits(stated.gpu, stated.fabric);
  job->fabric = other;
  if (healthy(*job) != Verdict::suits) job->fabric = best;
  return SlowFabricJob{*job, slow};
}

std::optional<hardware::Fabric> draw_slow_fabric(RandomStream& stream, const Job& job) {
  std::vector<hardware::Fabric> fits;
  for (const Stated& stated : kStated) {
    if (stated.gpu != job.gpu->id) continue;
    Job slow = job;
    const auto fabric = hardware::parse_fabric(stated.fabric, job.fabric.world_size(), job.gpu);
    if (!fabric) continue;
    slow.fabric = *fabric;
    if (bandwidth_bound(slow) == Verdict::suits) fits.push_back(*fabric);
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
            if (healthy(job) == Verdict::suits) out.push_back(job);
          }
        }
      }
    }
  }
  return out;
}

}  // namespace td::sim
