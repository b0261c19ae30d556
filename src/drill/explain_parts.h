// What the explanations of several causes share.
#pragma once

#include <string>
#include <vector>

#include "drill/explain.h"
#include "drill/text.h"

namespace td::drill {

// Cause, scenario, rank table, win without its sums, and what the catalogue says is right.
Truth start_truth(const ExplainInput& input);

// Rounded to what is printed; fixed_step_ns is for the same tokens as a traced step.
Win measured_win(const ExplainInput& input);

// A row of a rank over an interval.
EvidenceSpan on_comm_row(const Measured& measured, char letter, size_t rank, Interval at, std::string text);
EvidenceSpan on_compute_row(const Measured& measured, char letter, size_t rank, Interval at, std::string text);

// From the end of a rank's backward to the end of its last collective, in one step.
Interval tail_of(const RankStep& step);

// The lines of the read that every cause tells alike.
ReadLine step_line(const ExplainInput& input);
ReadLine gaps_line(const ExplainInput& input);
ReadLine longest_line(const ExplainInput& input);

// bytes x factor / busbw written out: "26.2 MB x 1.75 / 366 GB/s = 0.13 ms".
std::string transfer_sum(int64_t size_bytes, TimeNs dur_ns, int32_t world_size);
// 2(n-1)/n with two decimals, and bus bandwidth in bytes a second of a bar.
std::string factor_text(int32_t world_size);
int64_t busbw_of(int64_t size_bytes, TimeNs dur_ns, int32_t world_size);
// The collective with the most bytes: its index in a step.
size_t largest_collective(const Measured& measured);

// Work of one kind on a rank, on the common clock.
IntervalSet work_of(const trace::RankTrace& rank, trace::SliceKind kind);

// What a transfer costs the compute beside it (docs/models/contention.md): in `beside_ns` of both, compute runs at the
// rate c of this run and loses (1 - c) of the time. beside_text writes it out: "23.0 ms x (1 - 0.87)".
TimeNs lost_beside_ns(const ExplainInput& input, TimeNs beside_ns);
std::string beside_text(const ExplainInput& input, const MsScale& scale, TimeNs beside_ns);

// Index of a rank's GPU on its own node.
int32_t local_gpu_of(const sim::Job& job, int32_t rank);

// Adds "measured" and "share" lines that end every table of sums.
void add_measured_win(Win& win);

// Model FLOPs a second over the dense bf16 peak of all ranks (6 P plus attention, per token), in permille.
int32_t mfu_permille(const sim::Job& job, TimeNs step_ns, int64_t tokens_per_step);

int64_t ms_millionths(TimeNs value_ns);  // a duration as millionths of a millisecond

}  // namespace td::drill
