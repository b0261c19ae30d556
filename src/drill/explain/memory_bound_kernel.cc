#include <algorithm>
#include <map>

#include "base/math.h"
#include "drill/explain.h"
#include "drill/explain_parts.h"
#include "drill/job_code.h"
#include "hardware/formula/kernel_time.h"
#include "sim/job/math_attention.h"

namespace td::drill::explain {
namespace {

using trace::SliceId;

// The kernels over the scores on rank 0: those whose op takes the scores, and the batched GEMMs.
struct ScoreKernels {
  TimeNs mean_ns = 0;             // a step
  TimeNs compute_ns = 0;          // of all compute kernels, a step
  TimeNs beside_ns = 0;           // of mean_ns, with a collective beside
  int64_t count = 0;              // a step
  std::string top;                // the name with the most time
  std::vector<Interval> forward;  // of the first step: one chain a layer
  std::vector<Interval> backward;
};

bool is_over_scores(const trace::RankTrace& rank, const trace::OpArgs& op, const std::string& scores) {
  if (rank.kind[op.slice] != trace::SliceKind::host_op) return false;
  return rank.name_of(op.slice) == "aten::bmm" || rank.strings.view(op.shapes).find(scores) != std::string_view::npos;
}

// Kernels that stand next to each other on their row make a chain.
void add_to_chain(std::vector<Interval>& chains, Interval at, bool continues) {
  if (continues && !chains.empty()) {
    chains.back().end_ns = at.end_ns;
  } else {
    chains.push_back(at);
  }
}

ScoreKernels score_kernels(const ExplainInput& input) {
  const trace::RankTrace& rank = input.run.trace.ranks.front();
  const trace::Track& row = rank.tracks[input.traced.rows.front().compute];
  const std::string seq = std::to_string(input.job.seq_len);
  const std::string scores =
      std::to_string(input.job.batch) + "," + std::to_string(input.job.model->heads) + "," + seq + "," + seq + "]";
  std::map<int64_t, bool> over_scores;  // by external id
  trace::TrackId main_thread = UINT32_MAX;
  for (const trace::OpArgs& op : rank.ops) {
    if (is_over_scores(rank, op, scores)) over_scores[op.external_id] = true;
  }
  const trace::LaunchIndex launches(rank);
  const IntervalSet comm = work_of(rank, trace::SliceKind::comm);
  ScoreKernels out;
  std::map<std::string_view, TimeNs> by_name;
  TimeNs all_ns = 0;
  TimeNs sum_ns = 0;
  bool continues = false;
  const auto steps = static_cast<int64_t>(input.traced.steps.size());
  for (SliceId slice = row.begin; slice < row.end; ++slice) {
    if (rank.kind[slice] != trace::SliceKind::compute) continue;
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    const Interval at = {begin_ns, begin_ns + rank.dur_ns[slice]};
    if (at.begin_ns < input.traced.steps.front().begin_ns || at.end_ns > input.traced.steps.back().end_ns) continue;
    const SliceId launch = launches.launch_of(slice);
    if (main_thread == UINT32_MAX && launch != trace::kNoSlice) main_thread = rank.track[launch];
    all_ns += rank.dur_ns[slice];
    const trace::OpArgs* args = rank.op_args(slice);
    const bool mine = args != nullptr && over_scores.contains(args->external_id);
    if (mine) {
      sum_ns += rank.dur_ns[slice];
      out.beside_ns += total_ns(clip(comm, at));
      by_name[rank.name_of(slice)] += rank.dur_ns[slice];
      ++out.count;
      const bool is_forward = launch != trace::kNoSlice && rank.track[launch] == main_thread;
      if (at.end_ns <= input.traced.steps.front().end_ns) {
        add_to_chain(is_forward ? out.forward : out.backward, at, continues);
      }
    }
    continues = mine;
  }
  out.mean_ns = sum_ns / steps;
  out.beside_ns /= steps;
  out.compute_ns = all_ns / steps;
  out.count /= steps;
  const auto top = std::ranges::max_element(by_name, {}, [](const auto& entry) { return entry.second; });
  if (top != by_name.end()) out.top = std::string(top->first.substr(0, 60));
  return out;
}

// What one fused kernel a layer and pass takes for the same result.
TimeNs fused_ns(const sim::Job& job) {
  const sim::Model& model = *job.model;
  const double tensor = 2.0 * job.batch * job.seq_len * model.heads * model.head_dim;
  const TimeNs layer_ns =
      hardware::attention_forward_time(job.batch, model.heads, job.seq_len, model.head_dim, *job.gpu).total_ns() +
      hardware::attention_backward_time(job.batch, model.heads, job.seq_len, model.head_dim, *job.gpu).total_ns() +
      hardware::stream_time(5 * tensor, *job.gpu).total_ns();
  return layer_ns * model.layers * job.accumulation;
}

struct Cited {
  explicit Cited(const ExplainInput& input)
      : scale(input.traced.mean_step_ns),
        kernels(score_kernels(input)),
        score_bytes(sim::attention_scores(input.job) * 2),
        bytes(sim::attention_scores(input.job) * sim::bytes_per_score(*input.job.model) * input.job.model->layers *
              input.job.accumulation),
        rate(static_cast<int64_t>(static_cast<__int128>(bytes) * kNsPerS / kernels.mean_ns)),
        label(static_cast<int64_t>(input.job.gpu->hbm_bytes_per_s)),
        family_ns(scale.round(kernels.mean_ns)),
        fused(scale.round(fused_ns(input.job))) {}

  MsScale scale;
  ScoreKernels kernels;
  int64_t score_bytes;  // of one BF16 tensor of scores
  int64_t bytes;        // through HBM a step
  int64_t rate;         // bytes a second
  int64_t label;
  TimeNs family_ns;
  TimeNs fused;

  [[nodiscard]] std::string share_of_label() const { return percent_text(share_millionths(rate, label)); }
  [[nodiscard]] std::string share_of_compute() const {
    return percent_text(share_millionths(kernels.mean_ns, kernels.compute_ns));
  }
};

std::string scores_text(const sim::Job& job) {
  return std::to_string(job.batch) + " x " + std::to_string(job.model->heads) + " x " + std::to_string(job.seq_len) +
         " x " + std::to_string(job.seq_len);
}

void add_evidence(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const Measured& traced = input.traced;
  const Interval forward = cited.kernels.forward.front();
  const Interval backward = cited.kernels.backward.front();
  truth.evidence = {
      on_compute_row(traced, 'A', 0, forward, "attention of one layer, forward: kernel after kernel over the scores"),
      on_compute_row(traced, 'B', 0, backward, "attention of one layer, backward"),
  };
  for (const std::vector<Interval>* chains : {&cited.kernels.forward, &cited.kernels.backward}) {
    for (const Interval& chain : *chains) truth.places.push_back({-1, chain});
  }
  for (size_t step = 0; step < traced.steps.size(); ++step) {
    // They stand all over forward and backward.
    truth.places.push_back({-1, {traced.steps[step].begin_ns, traced.at[0][step].ready_ns}});
  }
}

void add_signature(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const sim::Job& job = input.job;
  const int64_t per_layer = cited.kernels.count / job.model->layers / job.accumulation;
  truth.signature = {
      {"In each layer " + count_word(per_layer) + " kernels work over the scores, " + scores_text(job) + ": " +
           bytes_text(cited.score_bytes) + " a tensor in bf16. They take " + cited.scale.text(cited.family_ns) +
           " a step, " + cited.share_of_compute() + " of the compute.",
       "AB"},
      {"They are as fast as the memory lets them be: " + bytes_text(cited.bytes) + " a step / " +
           cited.scale.text(cited.family_ns) + " = " + rate_text(cited.rate) + ", " + cited.share_of_label() +
           " of the " + rate_text(cited.label) + " on the label.",
       "AB"},
      {"No gaps: rank 0 idles " +
           percent_text(share_millionths(input.traced.mean_of(0, &RankStep::idle_ns), input.traced.mean_step_ns)) +
           " of the step, and the model's FLOPs come to an MFU of " +
           decimal_text(mfu_permille(job, input.traced.mean_step_ns, input.traced.tokens_per_step), 10, 1) + " %.",
       ""},
  };
}

ConfirmText confirm(const ExplainInput& input, const Cited& cited) {
  ConfirmText text;
  text.id = "speed_of_light";
  text.command = "$ ncu --section SpeedOfLight -k regex:'SoftMax|softmax|elementwise' -c 20 python " +
                 std::string(code_of(input.job).file);
  text.prints = {"Memory Throughput            %        " + decimal_text(cited.rate * 100, cited.label, 1)};
  text.text =
      "Memory throughput near its ceiling, compute throughput far below 30 %: faster arithmetic would not help.";
  return text;
}

FixText fix(const sim::Job& job) {
  const bool dropout = sim::has_attention_dropout(*job.model);
  const bool causal = job.model->family == sim::Family::decoder;
  const std::string mask = causal ? ", is_causal=True" : "";
  const std::string groups = job.model->kv_heads < job.model->heads ? ", enable_gqa=True" : "";
  FixText text;
  text.id = "fuse_or_quantise";
  text.text = "One fused kernel keeps the scores on the chip: scaled_dot_product_attention picks one on " +
              std::string(job.gpu->title) + ".";
  text.code_title = "model/attention.py";
  text.code_before = "scores = q @ k.transpose(-2, -1) * scale" + std::string(causal ? " + mask" : "") +
                     "\n"
                     "p = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)\n" +
                     std::string(dropout ? "out = F.dropout(p, self.p, self.training) @ v" : "out = p @ v");
  text.code_after = dropout ? "p = self.p if self.training else 0.0\n"
                              "out = F.scaled_dot_product_attention(q, k, v, dropout_p=p" +
                                  mask + ")"
                            : "out = F.scaled_dot_product_attention(q, k, v" + mask + groups + ")";
  return text;
}

void add_sums(const ExplainInput& input, const Cited& cited, Truth& truth) {
  const MsScale& scale = cited.scale;
  const sim::Model& model = *input.job.model;
  const int64_t flop_tera = round_to_int(
      3.5 * hardware::attention_forward_flop(input.job.batch, model.heads, input.job.seq_len, model.head_dim) *
      model.layers * input.job.accumulation / 1e9);
  // NCCL takes the same time from whatever runs beside it: that part stays.
  const int64_t compute_permille = input.run.compute_rate_permille;
  const TimeNs stays_ns = scale.round(cited.kernels.beside_ns * (1000 - compute_permille) / 1000);
  // A shorter backward hides less.
  const TimeNs less_hidden_ns = scale.round(std::max<TimeNs>(
      0, input.fixed.mean_of(0, &RankStep::exposed_ns) - input.traced.mean_of(0, &RankStep::exposed_ns)));
  truth.win.reckoned_ns = cited.family_ns - stays_ns - cited.fused - less_hidden_ns;
  truth.win.sums = {
      {"kernels over the scores: " + bytes_text(cited.bytes) + " / " + rate_text(cited.rate),
       scale.text(cited.family_ns)},
      {"of that, lost to NCCL beside them and not won back: " + scale.text(scale.round(cited.kernels.beside_ns)) +
           " x (1 - " + decimal_text(compute_permille, 1000, 2) + ")",
       "- " + scale.text(stays_ns)},
      {"fused, causal, forward and backward: " + decimal_text(flop_tera, 1000, 1) + " TFLOP and no scores in memory",
       "- " + scale.text(cited.fused)},
      {"communication that the shorter backward no longer hides (seen in the fixed run)",
       "- " + scale.text(less_hidden_ns)},
      {"what fusing can win", scale.text(truth.win.reckoned_ns), true},
  };
  add_measured_win(truth.win);
}

// One layer's, forward and backward.
std::vector<RowSpan> chains_of_a_layer(const Measured& traced, const ScoreKernels& kernels) {
  const RankRows& rows = traced.rows.front();
  return {{rows.rank, rows.compute, kernels.forward.front()}, {rows.rank, rows.compute, kernels.backward.front()}};
}

Truth explain_memory_bound(const ExplainInput& input) {
  const Cited cited(input);
  const Measured& traced = input.traced;
  Truth truth = start_truth(input);
  truth.headline = "Memory-bound attention";
  truth.summary = "Attention is not fused: " + cited.share_of_compute() +
                  " of the compute reads and writes scores through HBM at " + cited.share_of_label() +
                  " of its bandwidth.";
  add_evidence(input, cited, truth);
  add_signature(input, cited, truth);
  truth.confirm = confirm(input, cited);
  truth.fix = fix(input.job);
  truth.lookalikes = {{"healthy", "There GEMMs at their FLOP rate hold the step. Here " + cited.share_of_compute() +
                                      " of the compute is at the memory's rate, and most of its bytes need not move."},
                      {"launch_bound", "There the device waits between short kernels. Here the median launch runs " +
                                           dur_text(traced.median_run_ahead_ns) + " ahead and there are no gaps."}};
  truth.read = {step_line(input),
                gaps_line(input),
                {"overlap", "NCCL is busy " + cited.scale.text(traced.mean_of(0, &RankStep::comm_ns)) + " a step, " +
                                cited.scale.text(traced.mean_of(0, &RankStep::exposed_ns)) + " of it exposed."},
                {"longest",
                 "Of the kernels over the scores " + cited.kernels.top +
                     "... has the most time; all of them "
                     "together are the lever, none alone.",
                 0, 0, chains_of_a_layer(traced, cited.kernels)}};
  add_sums(input, cited, truth);
  truth.number = DecidingNumber{.label = "achieved bandwidth of the kernels over the scores",
                                .unit = "GB/s",
                                .value_millionths = cited.rate / 1000,
                                .slack_millionths = 0};
  return truth;
}

}  // namespace

Explainer memory_bound_kernel() { return {.cause = "memory_bound_kernel", .explain = explain_memory_bound}; }

}  // namespace td::drill::explain
