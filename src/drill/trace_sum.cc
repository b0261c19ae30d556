#include "drill/trace_sum.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analysis/kernel_work.h"
#include "arithmetic/draw.h"
#include "hardware/fabric.h"

namespace td::drill {
namespace {

using arithmetic::digits;
using arithmetic::Problem;
using arithmetic::rounded;
using arithmetic::Term;
using arithmetic::Worksheet;

constexpr std::string_view kRate = "/rate";

// What the exercise says of the hardware; the same as its facts.
struct Setting {
  const hardware::Gpu* gpu = nullptr;
  hardware::Fabric fabric;
  bool has_fabric = false;
};

Result<Setting> setting_of(const Exercise& exercise) {
  Setting out;
  out.gpu = hardware::find_gpu(exercise.facts_json["gpu"].as_string());
  if (out.gpu == nullptr) return fail(ErrorCode::unsupported, "the drill's GPU is not in the catalogue");
  const auto world_size = static_cast<int32_t>(exercise.facts_json["world_size"].as_int(1));
  const std::string_view fabric = exercise.facts_json["fabric"].as_string();
  const Result<hardware::Fabric> parsed = hardware::parse_fabric(fabric, world_size, out.gpu);
  if (parsed) out.fabric = *parsed;
  out.has_fabric = parsed.has_value() && out.fabric.intra != nullptr;
  return out;
}

// Where on the timeline, as its ruler counts: from the start of the first shown step.
std::string at_text(const Exercise& exercise, trace::SliceId slice) {
  const trace::RankTrace& rank = exercise.trace.ranks.front();
  TimeNs origin_ns = exercise.view.begin_ns;
  const auto first = std::ranges::find_if(
      exercise.steps, [&](const Interval& step) { return step.begin_ns >= exercise.view.begin_ns; });
  if (first != exercise.steps.end()) origin_ns = first->begin_ns;
  const TimeNs at_ns = rank.start_ns[slice] + rank.clock_offset_ns - origin_ns;
  return digits(static_cast<double>(at_ns) / 1e6, 4) + " ms into the shown steps";
}

bool is_within(const trace::RankTrace& rank, trace::SliceId slice, const Interval& view) {
  const TimeNs start_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return start_ns >= view.begin_ns && start_ns < view.end_ns;
}

bool has_ring_factor(trace::CollectiveKind kind) {
  return kind == trace::CollectiveKind::all_reduce || kind == trace::CollectiveKind::all_gather ||
         kind == trace::CollectiveKind::reduce_scatter;
}

// The largest collective of a ring kind on rank 0 that begins in the view.
const trace::CollectiveArgs* largest_collective(const trace::RankTrace& rank, const Interval& view) {
  const trace::CollectiveArgs* best = nullptr;
  for (const trace::CollectiveArgs& args : rank.collectives) {
    if (!has_ring_factor(args.kind) || args.group_size < 2 || trace::size_bytes(args) < 1'000'000) continue;
    if (!is_within(rank, args.slice, view)) continue;
    if (best == nullptr || trace::size_bytes(args) > trace::size_bytes(*best)) best = &args;
  }
  return best;
}

// Numbers as one says them: 2.02 GB rather than 2,020 MB, 5.3 ms rather than 5,300 us.
Term state(Worksheet& sheet, std::string_view name, std::string_view title, const arithmetic::Quantity& quantity) {
  const arithmetic::Unit unit = arithmetic::fitting_unit(quantity);
  return sheet.input(name, title, rounded(quantity.value / unit.scale, 4), unit.symbol);
}

arithmetic::Quantity bytes(double value) { return {value, arithmetic::dimension_of(arithmetic::Base::byte)}; }
arithmetic::Quantity seconds(TimeNs dur_ns) {
  return {static_cast<double>(dur_ns) / 1e9, arithmetic::dimension_of(arithmetic::Base::second)};
}

struct Wire {
  double bytes_per_s = 0;
  std::string text;
};

// The narrowest label that each rank's ring traffic crosses, one way.
Wire wire_of(const Setting& setting, int32_t group_size) {
  const hardware::Fabric& fabric = setting.fabric;
  if (fabric.inter != nullptr && fabric.nodes > 1 && group_size == fabric.world_size()) {
    return {fabric.inter->label_bytes_per_s * fabric.nics_per_node, "the links that leave a node together"};
  }
  if (hardware::is_scale_up(*fabric.intra)) {
    return {setting.gpu->scale_up_bytes_per_s, std::string(fabric.intra->title) + " of a GPU"};
  }
  return {fabric.intra->label_bytes_per_s, "PCIe of a GPU"};
}

Problem collective_time(const DrillName& name, const Exercise& exercise, const Setting& setting,
                        const trace::CollectiveArgs& args) {
  const bool reduce = args.kind == trace::CollectiveKind::all_reduce;
  const std::string kind(trace::to_string(args.kind));
  Worksheet sheet(reduce ? "ring_all_reduce" : "bus_bandwidth");
  const Wire wire = wire_of(setting, args.group_size);
  const Term size = state(sheet, "size", "whole buffer", bytes(static_cast<double>(trace::size_bytes(args))));
  const Term ranks = sheet.input("ranks", "of the collective", args.group_size);
  const Term rate = sheet.input("bandwidth", wire.text + ", one way", rounded(wire.bytes_per_s / 1e9, 4), "GB/s");
  const Term factor =
      reduce ? sheet.step("The link carries 2(n − 1)/n of the buffer",
                          arithmetic::term(2) * (ranks - arithmetic::term(1)) / ranks, "buffers")
             : sheet.step("The link carries (n − 1)/n of the buffer", (ranks - arithmetic::term(1)) / ranks, "buffers");
  const Term sent = sheet.step("Bytes over it", size * arithmetic::plain(factor));
  const Term time = sheet.step("At wire speed", sent / rate);
  const arithmetic::Unit shown = arithmetic::fitting_unit(time.quantity);
  sheet.ask("Drill " + to_string(name) + ", rank 0: the " + kind + " that starts " + at_text(exercise, args.slice) +
            " has a buffer of " + size.text + " over " + ranks.text + " ranks (" + hardware::describe(setting.fabric) +
            "; " + wire.text + ": " + rate.text + " one way). How long should a ring take at wire speed?");
  sheet.conventions("Wire speed is the link's label, one way; latency ignored. MB = 10⁶ bytes.");
  sheet.in_the_head(
      reduce ? "Twice the buffer, less a little, over the rate" : "The buffer, less a little, over the rate",
      size.text + " × " + digits(factor.value(), 3) + " / " + rate.text);
  sheet.slip("both directions", time.value() / 2, "The one-way rate applies.");
  if (reduce) sheet.slip("one pass only", time.value() / 2, "An all-reduce is a reduce-scatter and an all-gather.");
  sheet.slip("the ring factor left out", size.value() / rate.value(),
             "The link carries the factor of the collective, not the buffer once.");
  // Without the bars themselves: reading them is the learner's, who may not have committed yet.
  sheet.in_practice(
      "At 0.8 of the wire; hold it to the shortest of its kernels over the ranks, whose rank arrived last",
      arithmetic::text_of({time.value() / 0.8, time.quantity.dimension}, shown));
  return sheet.number(time, shown.symbol);
}

// An op of rank 0 in the view that is one kernel and whose work is known: the longest of its kind.
struct Work {
  analysis::KernelWork work;
  trace::SliceId kernel = trace::kNoSlice;
  TimeNs dur_ns = 0;
  std::string op;
  std::string shapes;
};

std::optional<Work> longest_op(const Exercise& exercise, bool matrix_product) {
  const trace::RankTrace& rank = exercise.trace.ranks.front();
  std::vector<trace::SliceId> kernels;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] == trace::SliceKind::compute && is_within(rank, slice, exercise.view))
      kernels.push_back(slice);
  }
  std::ranges::stable_sort(kernels, {}, [&](trace::SliceId slice) { return rank.start_ns[slice]; });
  std::optional<Work> best;
  for (const analysis::OpKernels& op : analysis::by_op(rank, kernels)) {
    if (op.op == trace::kNoSlice || op.kernels.size() != 1 || op.dur_ns <= 0) continue;
    if (best && op.dur_ns <= best->dur_ns) continue;
    const trace::OpArgs* args = rank.op_args(op.op);
    if (args == nullptr) continue;
    const std::string_view shapes = rank.strings.view(args->shapes);
    const std::optional<analysis::KernelWork> work =
        analysis::work_of(rank.name_of(op.op), shapes, rank.strings.view(args->types));
    if (!work || (work->flop > 0) != matrix_product || work->bytes < 4e6) continue;
    best = Work{*work, op.kernels.front(), op.dur_ns, std::string(rank.name_of(op.op)), std::string(shapes)};
  }
  return best;
}

// "aten::mm [[8192,4096],[4096,14336]] whose kernel starts 59.0 ms into the shown steps".
std::string which(const Exercise& exercise, const Work& one) {
  return one.op + " " + one.shapes + " whose kernel starts " + at_text(exercise, one.kernel);
}

Problem product_time(const DrillName& name, const Exercise& exercise, const Setting& setting, const Work& one) {
  Worksheet sheet("roofline_knee");
  const Term work = sheet.input("work", "of the product", rounded(one.work.flop / 1e9, 4), "GFLOP");
  const Term peak =
      sheet.input("peak", "dense 16-bit peak", rounded(setting.gpu->bf16_flop_per_s / 1e12, 5), "TFLOP/s");
  const Term time = sheet.step("FLOPs over the peak", work / peak);
  sheet.ask("Drill " + to_string(name) + ", rank 0: " + which(exercise, one) + " needs " + work.text +
            ". At the dense 16-bit peak of the " + std::string(setting.gpu->title) + ", " + peak.text +
            ", how long would it take?");
  sheet.conventions(std::string(arithmetic::kDense) + " The product is large enough to be compute-bound.");
  sheet.in_the_head("GFLOP over TFLOP/s is ms", work.text + " / " + peak.text);
  sheet.in_practice(
      "At the best share of the peak that matrix products were measured to reach; hold it to the kernel's bar",
      arithmetic::text_of({time.value() / setting.gpu->matmul_efficiency_max, time.quantity.dimension},
                          arithmetic::fitting_unit(time.quantity)));
  sheet.slip("FP8 or sparse peak", time.value() / 2, "The dense 16-bit rate applies.");
  return sheet.number(time, arithmetic::fitting_unit(time.quantity).symbol);
}

Problem share_of_peak(const DrillName& name, const Exercise& exercise, const Setting& setting, const Work& one) {
  const bool memory = one.work.flop <= 0;
  Worksheet sheet(memory ? "kernel_bandwidth" : "roofline_knee");
  const Term work = memory ? state(sheet, "traffic", "read and written, each tensor once", bytes(one.work.bytes))
                           : sheet.input("work", "of the product", rounded(one.work.flop / 1e9, 4), "GFLOP");
  const Term time = state(sheet, "time", "of the kernel", seconds(one.dur_ns));
  const Term peak =
      memory ? sheet.input("memory_bandwidth", "label", rounded(setting.gpu->hbm_bytes_per_s / 1e12, 4), "TB/s")
             : sheet.input("peak", "dense 16-bit peak", rounded(setting.gpu->bf16_flop_per_s / 1e12, 5), "TFLOP/s");
  const Term rate = sheet.step("Rate", work / time, memory ? "TB/s" : "TFLOP/s");
  const Term share = sheet.step("Of the peak", rate / peak, "%");
  sheet.ask("Drill " + to_string(name) + ", rank 0: " + which(exercise, one) + (memory ? " moved " : " did ") +
            work.text + " in " + time.text + " on the " + std::string(setting.gpu->title) + " (" + peak.text +
            "). Which fraction of the peak is that?");
  sheet.conventions(
      memory ? "Each tensor counted once, read or written; what the L2 holds back is not known. us is microseconds."
             : std::string(arithmetic::kDense) + " us is microseconds.");
  sheet.in_the_head(
      memory ? "MB over us is TB/s" : "GFLOP over us is PFLOP/s",
      digits(work.value() / (memory ? 1e6 : 1e9), 4) + " / " + digits(time.value() * 1e6, 4) + " = " + rate.text);
  return sheet.number(share, "%");
}

}  // namespace

Result<SumName> parse_sum_name(std::string_view text) {
  SumName out;
  if (text.ends_with(kRate)) {
    out.kind = SumKind::rate;
    text.remove_suffix(kRate.size());
  }
  out.drill = TRY(parse_drill_name(text));
  return out;
}

Result<Problem> trace_sum(const DrillName& name, const Exercise& exercise, SumKind kind) {
  if (exercise.trace.ranks.empty()) return fail(ErrorCode::internal, "the drill has no rank");
  const Setting setting = TRY(setting_of(exercise));
  if (kind == SumKind::rate) {
    if (const auto memory = longest_op(exercise, false)) return share_of_peak(name, exercise, setting, *memory);
    if (const auto product = longest_op(exercise, true)) return share_of_peak(name, exercise, setting, *product);
  }
  const trace::CollectiveArgs* collective = largest_collective(exercise.trace.ranks.front(), exercise.view);
  if (collective != nullptr && setting.has_fabric) return collective_time(name, exercise, setting, *collective);
  if (const auto product = longest_op(exercise, true)) return product_time(name, exercise, setting, *product);
  return fail(ErrorCode::unsupported, "this trace holds no collective and no matrix product that a sum could be about",
              to_string(name));
}

}  // namespace td::drill
