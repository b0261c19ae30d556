#include "sim/job/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/math.h"
#include "sim/job/pipeline_catalogue.h"

namespace td::sim {
namespace {

constexpr int64_t kMaxKernels = 900;
constexpr double kHealthyExposed = 0.018;
constexpr double kHealthyBusy = 0.975;
constexpr double kCompressionPays = 0.013;
// Bandwidth bound: enough to see, not so much that nothing else is left.
constexpr double kBoundExposedLow = 0.09;
constexpr double kBoundExposedHigh = 0.44;
constexpr double kMfuLow = 0.15;
constexpr double kMfuHigh = 0.64;
constexpr TimeNs kMaxStepNs = 1'500 * kNsPerMs;
// This many permille reduce FP32 gradients, where a job allows it.
constexpr int kFloat32Permille = 200;
// How far a predicted step may be from what is wanted: |log|.
constexpr double kNear = 0.18;
// Predictions for one model and sequence length, each 0.5 to 2 ms.
constexpr int kLooks = 4;
// And for all: then the nearest so far will do; if there is none after as many again, the traits have no such job.
constexpr int kMaxLooks = 48;
// Some traits have no job that suits; others are drawn then.
constexpr int kTraitsDraws = 12;

// Faster fabrics that a bandwidth-bound job may have been healthy on, by NICs a node.
constexpr std::array<std::string_view, 2> kBaseLinks = {"ib200", "ib400"};
constexpr std::array<int32_t, 17> kBatches = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256};
constexpr std::array<int32_t, 4> kSeqLens = {512, 1024, 2048, 4096};

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

int64_t work_of(const Job& job) { return int64_t{job.batch} * job.seq_len * job.accumulation; }

double log_apart(TimeNs a_ns, TimeNs b_ns) {
  const double apart = log_exact(static_cast<double>(a_ns) / static_cast<double>(b_ns));
  return apart < 0 ? -apart : apart;
}

double all_reduce_ns(int64_t bytes, const Job& job) {
  return static_cast<double>(hardware::transfer_ns(hardware::Collective::all_reduce, bytes, job.fabric, *job.gpu));
}

bool communicates(const Job& job) { return job.fabric.world_size() > 1; }

// Time in which a step's gradients cross the fabric, as a share of `step_ns`. Cheap enough to throw away most models.
double pressure(const Job& job, TimeNs step_ns) {
  const int64_t bytes = parameter_count(*job.model) * trace::size_bytes(job.grad_dtype);
  return all_reduce_ns(bytes, job) / static_cast<double>(step_ns);
}

// A job with each batch, in the order of their work.
std::vector<Job> shapes_of(const Job& job, int32_t seq_len) {
  std::vector<Job> shapes(kBatches.size(), job);
  for (size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].batch = kBatches[i];
    shapes[i].seq_len = seq_len;
  }
  return shapes;
}

struct Found {
  Job job;
  double apart = 1e9;  // |log| of predicted step against wanted
};

struct Search {
  TimeNs step_ns = 0;  // wanted
  // The job as its step is meant.
  std::function<Result<Outlook>(const Job& job)> look = [](const Job& job) { return predict(job); };
  std::function<bool(const Job& job, const Outlook& outlook)> suits;
};

// The shape whose predicted step is nearest to what is wanted, among those that suit. The step grows with the work:
// guesses are moved by their ratio, between bounds that close in.
std::optional<Found> search_shapes(const std::vector<Job>& shapes, const Search& search, int& looks) {
  std::optional<Found> best;
  auto low = std::ptrdiff_t{0};
  auto high = std::ssize(shapes) - 1;
  auto at = std::ssize(shapes) / 3;
  for (int look = 0; look < kLooks && low <= high; ++look) {
    at = std::clamp(at, low, high);
    const Job& job = shapes[static_cast<size_t>(at)];
    const auto outlook = search.look(job);
    ++looks;
    if (!outlook || outlook->step_ns > kMaxStepNs) {  // does not fit
      high = at - 1;
      at = (low + high) / 2;
      continue;
    }
    if (outlook->kernels > kMaxKernels) return best;
    const double apart = log_apart(outlook->step_ns, search.step_ns);
    if ((!best || apart < best->apart) && search.suits(job, *outlook)) best = Found{job, apart};
    if (best && best->apart < kNear / 3) return best;
    const double work =
        static_cast<double>(work_of(job)) * static_cast<double>(search.step_ns) / static_cast<double>(outlook->step_ns);
    if (outlook->step_ns < search.step_ns) {
      low = at + 1;
    } else {
      high = at - 1;
    }
    const auto next = std::lower_bound(shapes.begin(), shapes.end(), work, [](const Job& shape, double wanted) {
      return static_cast<double>(work_of(shape)) < wanted;
    });
    at = next - shapes.begin();
  }
  return best;
}

// Model by model in a drawn order, so that none is rarer than another for fitting seldom: the first that comes near;
// otherwise the nearest of all.
std::optional<Job> search_models(RandomStream& stream, Job job, const Search& search,
                                 const std::function<bool(const Job& job)>& plausible, Family family) {
  const bool fp32_first = stream.chance_permille(kFloat32Permille);
  std::vector<const Model*> models;
  for (const Model& model : all_models()) {
    if (model.family == family) models.push_back(&model);
  }
  shuffle(stream, models);
  std::optional<Found> best;
  int looks = 0;
  for (const bool fp32 : {fp32_first, !fp32_first}) {
    job.grad_dtype = fp32 ? trace::DType::float32 : trace::DType::bfloat16;
    for (const Model* model : models) {
      job.model = model;
      if (!plausible(job)) continue;
      std::vector<int32_t> seq_lens(kSeqLens.begin(), kSeqLens.end());
      shuffle(stream, seq_lens);
      for (const int32_t seq_len : seq_lens) {
        const std::optional<Found> found = search_shapes(shapes_of(job, seq_len), search, looks);
        if (found && (!best || found->apart < best->apart)) best = found;
        if (best && (best->apart < kNear || looks > kMaxLooks)) return best->job;
        if (looks > 2 * kMaxLooks) return std::nullopt;
      }
    }
  }
  if (!best) return std::nullopt;
  return best->job;
}

Job job_of(RandomStream& stream, const Traits& traits) {
  Job job{.gpu = traits.gpu, .fabric = traits.fabric};
  job.work = traits.work;
  job.execution = traits.execution;
  job.parallelism = traits.parallelism;
  job.sync_every_step = stream.chance_permille(650);
  job.warmup_steps = traits.warmup_steps;
  job.recorded_steps = traits.recorded_steps;
  return job;
}

// Workers that keep well ahead of the step, which takes a batch a microbatch.
void add_loader(RandomStream& stream, const Traits& traits, TimeNs step_ns, Job& job) {
  const auto workers = static_cast<int32_t>(stream.uniform_int(2, 8));
  const TimeNs period_ns = step_ns / job.accumulation * stream.uniform_int(300, 720) / 1000;
  if (!traits.loader) return;
  job.loader.workers = workers;
  job.loader.batch_ns = period_ns * workers;
}

// Of the traits, a pipeline takes how it is run, its loader and its steps; the rest is drawn with its shape.
Result<Job> draw_fed_pipeline(RandomStream& stream, const Traits& traits, const Wanted& wanted) {
  Job job = TRY(draw_pipeline_job(stream));
  job.execution = traits.execution;
  job.warmup_steps = traits.warmup_steps;
  job.recorded_steps = traits.recorded_steps;
  if (!check_job(job) || (wanted.also && !wanted.also(job))) {
    return fail(ErrorCode::not_found, "job catalogue: the drawn pipeline does not suit");
  }
  add_loader(stream, traits, TRY(predict(job)).step_ns, job);
  return job;
}

std::unexpected<Error> nothing_suits(const Traits& traits, std::string_view what) {
  return fail(ErrorCode::not_found,
              "job catalogue: no " + std::string(what) + " " + std::string(to_string(traits.family)) + " job on " +
                  std::to_string(traits.fabric.world_size()) + " x " + std::string(traits.gpu->title) + " over " +
                  hardware::fabric_text(traits.fabric));
}

// Half the bytes may not pay either: hidden communication slows the compute beside it.
bool compression_pays(const Job& job, const Outlook& outlook) {
  if (!communicates(job) || job.grad_dtype != trace::DType::float32) return false;
  Job compressed = job;
  compressed.grad_dtype = trace::DType::bfloat16;
  const auto halved = predict(compressed);
  return !halved || static_cast<double>(outlook.step_ns - halved->step_ns) >
                        kCompressionPays * static_cast<double>(outlook.step_ns);
}

}  // namespace

bool looks_healthy(const Job& job, const Outlook& outlook) {
  if (outlook.exposed_frac > kHealthyExposed || outlook.busy_frac < kHealthyBusy || outlook.mfu > kMfuHigh)
    return false;
  if (compression_pays(job, outlook)) return false;
  return job.work != Work::training || job.model->family != Family::decoder || outlook.mfu >= kMfuLow;
}

Result<Job> draw_job(RandomStream& stream, const Traits& traits, const Wanted& wanted) {
  if (traits.parallelism.kind == Parallelism::Kind::pipeline) return draw_fed_pipeline(stream, traits, wanted);
  const TimeNs step_ns = wanted.traced ? traits.step_ns : traits.step_ns * wanted.step_permille / 1000;
  const auto wins_enough = [&](const Outlook& traced, const Outlook& healthy) {
    const int64_t win = 1000 - healthy.step_ns * 1000 / traced.step_ns;
    return win >= wanted.min_win_permille && win <= wanted.max_win_permille;
  };
  const auto suits = [&](const Job& job, const Outlook& outlook) {
    if (wanted.also && !wanted.also(job)) return false;
    if (!wanted.traced) {
      return (wanted.max_step_ns == 0 || outlook.step_ns <= wanted.max_step_ns) && looks_healthy(job, outlook);
    }
    const auto healthy = predict(job);
    return healthy && (wanted.max_step_ns == 0 || healthy->step_ns <= wanted.max_step_ns) &&
           looks_healthy(job, *healthy) && wins_enough(outlook, *healthy);
  };
  Search search = {.step_ns = step_ns, .suits = suits};
  if (wanted.max_step_ns > 0 && !wanted.traced) search.step_ns = std::min(step_ns, wanted.max_step_ns);
  if (wanted.traced) search.look = wanted.traced;
  const auto hides = [&](const Job& job) { return !communicates(job) || pressure(job, search.step_ns) < 0.75; };
  std::optional<Job> job = search_models(stream, job_of(stream, traits), search, hides, traits.family);
  if (!job) return nothing_suits(traits, "healthy");
  add_loader(stream, traits, TRY(predict(*job)).step_ns, *job);
  return *job;
}

Result<Job> draw_job(RandomStream& stream) {
  for (int draws = 1;; ++draws) {
    const Traits traits = TRY(draw_data_parallel_traits(stream));
    Result<Job> job = draw_job(stream, traits);
    if (job || draws == kTraitsDraws) return job;
  }
}

Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream) {
  for (int draws = 1;; ++draws) {
    const Traits traits = TRY(draw_data_parallel_traits(stream));
    Result<SlowFabricJob> job = draw_slow_fabric_job(stream, traits);
    if (job || draws == kTraitsDraws) return job;
  }
}

Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream, const Traits& traits) {
  // It must have been healthy on the fastest fabric; before, it ran on that or on a drawn one, if healthy there too.
  const bool nvlink = traits.gpu->scale_up_bytes_per_s > 0;
  const std::string nodes = std::to_string(traits.fabric.nodes) + "x" + std::to_string(traits.fabric.gpus_per_node);
  const std::string nics = "x" + std::to_string(traits.fabric.gpus_per_node);
  const std::string fastest = nvlink ? "nvlink" : nodes + ":ib400" + nics;
  const std::string drawn = nodes + ":" + std::string(pick(stream, kBaseLinks)) + nics;
  const int32_t ranks = traits.fabric.world_size();
  const hardware::Fabric best = TRY(hardware::parse_fabric(fastest, ranks, traits.gpu));
  const hardware::Fabric other = TRY(hardware::parse_fabric(drawn, ranks, traits.gpu));
  const auto healthy_on = [](Job job, const hardware::Fabric& fabric) {
    job.fabric = fabric;
    const auto outlook = predict(job);
    return outlook && looks_healthy(job, *outlook);
  };
  const Search search = {.step_ns = traits.step_ns, .suits = [&](const Job& job, const Outlook& outlook) {
                           return outlook.exposed_frac >= kBoundExposedLow &&
                                  outlook.exposed_frac <= kBoundExposedHigh && healthy_on(job, best);
                         }};
  // Backward, two thirds of the compute, hides most of it.
  const auto outlasts = [&](const Job& job) {
    const double share = pressure(job, search.step_ns);
    return share > 0.4 && share < 1.0;
  };
  std::optional<Job> job = search_models(stream, job_of(stream, traits), search, outlasts, traits.family);
  if (!job) return nothing_suits(traits, "bandwidth-bound");
  add_loader(stream, traits, TRY(predict(*job)).step_ns, *job);
  job->fabric = healthy_on(*job, other) ? other : best;
  return SlowFabricJob{*job, traits.fabric};
}

}  // namespace td::sim
