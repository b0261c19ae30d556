#include "drill/composition.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/math.h"
#include "base/random.h"

namespace td::drill {
namespace {

using sim::Execution;
using sim::Family;
using sim::Work;
using Kind = sim::Parallelism::Kind;

// Columns of the tables below.
constexpr std::array<std::string_view, 11> kCauses = {
    "healthy",          "unoverlapped_allreduce",     "input_starvation", "launch_bound",
    "straggler",        "memory_bound_kernel",        "sync_stalls",      "pipeline_bubbles",
    "allocator_stalls", "bandwidth_bound_collective", "recompilation"};
using Weights = std::array<int32_t, kCauses.size()>;

struct FormRow {
  Form form;
  Weights weights;
};

constexpr sim::Parallelism kDdp = {.kind = Kind::ddp};
constexpr sim::Parallelism kFsdp = {.kind = Kind::fsdp};
constexpr sim::Parallelism kOneGpu = {.kind = Kind::one_gpu};
// Stages, links and length of a step come from sim/job/pipeline_catalogue.h, alike for every cause.
constexpr sim::Parallelism kPipeline = {.kind = Kind::pipeline, .stages = 2};

// clang-format off
// P(form | cause), in parts of the column's sum; forms that are not ready weigh nothing (is_ready). More than a third of
// all jobs are compiled, whatever the cause. Pipelines are so far healthy, starved or short of microbatches only: the
// other faults do not run in one yet, so that a pipeline still tells more than it should (composition_test.cc).
// clang-format off
constexpr std::array kForms = {
    //                                                                                      heal unov inpu laun stra memo sync pipe allo band reco
    FormRow{{"ddp_eager", Work::training, kDdp, Execution::eager},                        {{ 19,  26,  18,  18,  26,  18,  18,   0,  18,  26,   0}}},
    FormRow{{"ddp_compiled", Work::training, kDdp, Execution::compiled},                  {{ 19,  28,  24,  21,  28,  24,  24,   0,  24,  28,  30}}},
    FormRow{{"fsdp_eager", Work::training, kFsdp, Execution::eager},                      {{  5,   0,   5,   5,   5,   5,   5,   0,   5,   5,   0}}},
    FormRow{{"fsdp_compiled", Work::training, kFsdp, Execution::compiled},                {{  4,   0,   4,   4,   4,   4,   4,   0,   4,   4,  10}}},
    FormRow{{"pipeline_eager", Work::training, kPipeline, Execution::eager},              {{  6,   0,  10,   0,   0,   0,   0,  60,   0,   0,   0}}},
    FormRow{{"pipeline_compiled", Work::training, kPipeline, Execution::compiled},        {{  4,   0,   7,   0,   0,   0,   0,  40,   0,   0,   0}}},
    FormRow{{"one_gpu_eager", Work::training, kOneGpu, Execution::eager},                 {{  8,   0,  11,  11,   0,  11,  11,   0,  11,   0,   0}}},
    FormRow{{"one_gpu_compiled", Work::training, kOneGpu, Execution::compiled},           {{  7,   0,  10,  10,   0,  10,  10,   0,  10,   0,  14}}},
    FormRow{{"inference_eager", Work::inference, kOneGpu, Execution::eager},              {{  4,   0,   5,   5,   0,   5,   5,   0,   5,   0,   0}}},
    FormRow{{"inference_compiled", Work::inference, kOneGpu, Execution::compiled},        {{  4,   0,   5,   5,   0,   5,   5,   0,   5,   0,   8}}},
};
// clang-format on

struct FamilyRow {
  Family family;
  int32_t weight;
};
constexpr std::array kFamilies = {
    FamilyRow{Family::decoder, 6}, FamilyRow{Family::encoder, 2},   FamilyRow{Family::vit, 2},
    FamilyRow{Family::resnet, 2},  FamilyRow{Family::diffusion, 2}, FamilyRow{Family::speech, 1},
    FamilyRow{Family::recsys, 1},  FamilyRow{Family::gnn, 1},
};

// P(length of a step | cause). A long step leaves the host ahead however slow it is.
struct Size {
  TimeNs low_ns;
  TimeNs high_ns;
  Weights weights;
};
// clang-format off
constexpr std::array kSizes = {
    //                                    heal unov inpu laun stra memo sync pipe allo band reco
    Size{60 * kNsPerMs, 120 * kNsPerMs,  {{62,  54,  54, 100,  54,  54,  54,  54,  54,  54,  56}}},
    Size{120 * kNsPerMs, 200 * kNsPerMs, {{21,  25,  25,   0,  25,  25,  25,  25,  25,  25,  24}}},
    Size{200 * kNsPerMs, 330 * kNsPerMs, {{17,  21,  21,   0,  21,  21,  21,  21,  21,  21,  20}}},
};
// clang-format on

// P(loader | cause): the two that would stand out without one have it oftener, since starvation cannot do without.
constexpr int kLoaderPermille = 600;
constexpr int kOftenerPermille = 650;
constexpr std::array<int32_t, 2> kManyRanks = {4, 8};
constexpr std::array<int32_t, 3> kRecordedSteps = {4, 5, 6};

size_t column_of(std::string_view cause) {
  return static_cast<size_t>(std::find(kCauses.begin(), kCauses.end(), cause) - kCauses.begin());
}

bool one_gpu(const Form& form) { return form.parallelism.kind == Kind::one_gpu; }

// What simulator, explainers and reader know so far.
bool is_ready(const Form& form) {
  return form.parallelism.kind == Kind::ddp || form.parallelism.kind == Kind::pipeline;
}

// The others are simulated, but their explainers speak of decoders.
bool is_ready(Family family) { return family == Family::decoder; }

int32_t form_weight(const FormRow& row, size_t cause) { return is_ready(row.form) ? row.weights[cause] : 0; }

int32_t family_weight(const FamilyRow& row) { return is_ready(row.family) ? row.weight : 0; }

std::vector<int32_t> ranks_of(const Form& form) {
  if (one_gpu(form)) return {1};
  return {kManyRanks.begin(), kManyRanks.end()};
}

// One row by its weight.
template <typename Rows, typename Weight>
size_t draw_row(RandomStream& stream, const Rows& rows, Weight weight) {
  int64_t total = 0;
  for (const auto& row : rows) total += weight(row);
  int64_t left = stream.uniform_int(0, std::max<int64_t>(total, 1) - 1);
  size_t at = 0;
  for (; at + 1 < std::size(rows); ++at) {
    left -= weight(rows[at]);
    if (left < 0) break;
  }
  return at;
}

template <typename Rows, typename Weight>
double share_in(const Rows& rows, Weight weight, int64_t of_row) {
  int64_t total = 0;
  for (const auto& row : rows) total += weight(row);
  return total == 0 ? 0 : static_cast<double>(of_row) / static_cast<double>(total);
}

int loader_permille(std::string_view cause) {
  if (cause == "input_starvation") return 1000;
  return cause == "healthy" || cause == "launch_bound" ? kOftenerPermille : kLoaderPermille;
}

// What a link and a GPU can do limits how long a step is (sim/job/traits.h).
int32_t size_weight(const Size& size, const sim::Hardware& hardware, size_t cause) {
  const auto at = static_cast<int32_t>(&size - kSizes.data());
  const bool bound = kCauses[cause] == "bandwidth_bound_collective";
  return at < hardware.shortest || (bound && at > hardware.longest_bound) ? 0 : size.weights[cause];
}

// Hardware on which the cause has no step of any length is not drawn for it. A host is slower than the device in
// light steps only.
int32_t hardware_weight(const sim::Hardware& hardware, size_t cause) {
  if (kCauses[cause] == "launch_bound" && hardware.shortest > 0) return 0;
  for (const Size& size : kSizes) {
    if (size_weight(size, hardware, cause) > 0) return hardware.weight;
  }
  return 0;
}

}  // namespace

std::vector<TraitClass> all_trait_classes() {
  std::vector<TraitClass> out;
  for (const FormRow& row : kForms) {
    if (!is_ready(row.form)) continue;
    for (const FamilyRow& family : kFamilies) {
      if (family_weight(family) == 0) continue;
      for (const int32_t ranks : ranks_of(row.form)) {
        for (const sim::Hardware& hardware : sim::stated_hardware(ranks)) {
          for (size_t size = 0; size < kSizes.size(); ++size) {
            for (const bool loader : {false, true}) {
              out.push_back({&row.form, family.family, ranks, &hardware, static_cast<int32_t>(size), loader});
            }
          }
        }
      }
    }
  }
  return out;
}

double share_of(const TraitClass& traits, std::string_view cause) {
  const size_t column = column_of(cause);
  if (column == kCauses.size()) return 0;
  double share = 0;
  for (const FormRow& row : kForms) {
    if (&row.form != traits.form) continue;
    share = share_in(kForms, [&](const FormRow& form) { return form_weight(form, column); }, form_weight(row, column));
  }
  for (const FamilyRow& row : kFamilies) {
    if (row.family == traits.family) share *= share_in(kFamilies, family_weight, family_weight(row));
  }
  share /= static_cast<double>(ranks_of(*traits.form).size());
  const auto of_hardware = [&](const sim::Hardware& hardware) { return hardware_weight(hardware, column); };
  share *= share_in(sim::stated_hardware(traits.ranks), of_hardware, of_hardware(*traits.hardware));
  const auto of_size = [&](const Size& size) { return size_weight(size, *traits.hardware, column); };
  share *= share_in(kSizes, of_size, of_size(kSizes[static_cast<size_t>(traits.size)]));
  const double loader = loader_permille(cause) / 1000.0;
  return share * (traits.loader ? loader : 1 - loader);
}

Result<sim::Traits> draw_traits(std::string_view cause, uint64_t seed, Composition composition, int attempt) {
  const auto stream_of = [&](const char* what) {
    return RandomStream(seed, std::string("drill.traits.") + what, attempt);
  };
  if (composition == Composition::data_parallel) {
    RandomStream stream = stream_of("data_parallel");
    return sim::draw_data_parallel_traits(stream);
  }
  const size_t column = column_of(cause);
  if (column == kCauses.size()) {
    return fail(ErrorCode::not_found, "the table of traits has no cause " + quote_short(cause));
  }
  RandomStream form_stream = stream_of("form");
  const Form& form =
      kForms[draw_row(form_stream, kForms, [&](const FormRow& row) { return form_weight(row, column); })].form;
  RandomStream family_stream = stream_of("family");
  RandomStream ranks_stream = stream_of("ranks");
  RandomStream hardware_stream = stream_of("hardware");
  RandomStream size_stream = stream_of("size");
  RandomStream rest = stream_of("rest");

  sim::Traits traits;
  traits.work = form.work;
  traits.parallelism = form.parallelism;
  traits.execution = form.execution;
  traits.family = kFamilies[draw_row(family_stream, kFamilies, family_weight)].family;
  const std::vector<int32_t> ranks = ranks_of(form);
  const int32_t world_size = ranks[static_cast<size_t>(ranks_stream.uniform_int(0, std::ssize(ranks) - 1))];
  const auto all_hardware = sim::stated_hardware(world_size);
  const auto of_hardware = [&](const sim::Hardware& row) { return hardware_weight(row, column); };
  const sim::Hardware& hardware = all_hardware[draw_row(hardware_stream, all_hardware, of_hardware)];
  TRY_OK(sim::set_hardware(hardware, world_size, traits));
  const auto of_size = [&](const Size& row) { return size_weight(row, hardware, column); };
  const Size& size = kSizes[draw_row(size_stream, kSizes, of_size)];
  const double ratio = static_cast<double>(size.high_ns) / static_cast<double>(size.low_ns);
  traits.step_ns = round_to_int(static_cast<double>(size.low_ns) * exp_exact(log_exact(ratio) * size_stream.uniform()));
  traits.loader = rest.chance_permille(loader_permille(cause));
  traits.recorded_steps = kRecordedSteps[static_cast<size_t>(rest.uniform_int(0, 2))];
  return traits;
}

}  // namespace td::drill
