// Every scenario's truth against the run that it is told of: its sums, and where its sentences point.
#include "drill/truth.h"

#include <gtest/gtest.h>

#include <string>

#include "catalog/catalog.h"
#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeed = 40;

const trace::RankTrace* rank_of(const trace::Trace& trace, int32_t number) {
  for (const trace::RankTrace& rank : trace.ranks) {
    if (rank.rank == number) return &rank;
  }
  return nullptr;
}

// From the first to the last end on a row, on the common clock; without length if the row is empty.
Interval extent_of(const trace::RankTrace& rank, trace::TrackId id) {
  const trace::Track& track = rank.tracks[id];
  if (track.begin == track.end) return {};
  Interval extent = {rank.start_ns[track.begin], 0};
  for (trace::SliceId slice = track.begin; slice < track.end; ++slice) {
    extent.end_ns = std::max(extent.end_ns, rank.end_ns(slice));
  }
  return {extent.begin_ns + rank.clock_offset_ns, extent.end_ns + rank.clock_offset_ns};
}

// The span has length, and lies on a row that exists and goes on around it.
void expect_on_trace(const SimulatedInstance& instance, const EvidenceSpan& span) {
  const trace::RankTrace* rank = rank_of(instance.run.trace, span.rank);
  ASSERT_NE(rank, nullptr) << span.rank;
  ASSERT_LT(span.track, rank->tracks.size());
  const Interval row = extent_of(*rank, span.track);
  EXPECT_LT(span.at.begin_ns, span.at.end_ns);
  // A device step may end microseconds after its last kernel on this row.
  EXPECT_GE(span.at.begin_ns, row.begin_ns - kNsPerMs);
  EXPECT_LE(span.at.end_ns, row.end_ns + kNsPerMs);
  EXPECT_FALSE(span.text.empty());
}

void expect_sentences_cite(const Truth& truth) {
  for (const Sentence& sentence : truth.signature) {
    for (const char letter : sentence.evidence) {
      EXPECT_TRUE(std::ranges::any_of(truth.evidence, [&](const EvidenceSpan& one) { return one.letter == letter; }))
          << letter << ": " << sentence.text;
    }
  }
  for (const EvidenceSpan& span : truth.evidence) {
    EXPECT_TRUE(std::ranges::any_of(truth.signature, [&](const Sentence& sentence) {
      return sentence.evidence.find(span.letter) != std::string::npos;
    })) << span.letter;
  }
}

void expect_read_on_trace(const SimulatedInstance& instance, const Truth& truth) {
  for (const ReadLine& line : truth.read) {
    SCOPED_TRACE(line.id);
    for (const RowSpan& span : line.spans) {
      const trace::RankTrace* rank = rank_of(instance.run.trace, span.rank);
      ASSERT_NE(rank, nullptr) << span.rank;
      ASSERT_LT(span.track, rank->tracks.size());
      EXPECT_LE(span.at.begin_ns, span.at.end_ns);
    }
  }
}

// A job has one kind of program: no DDP in a pipeline's code, no training file in a service.
void expect_code_suits(const SimulatedInstance& instance, const Truth& truth) {
  const std::string code = truth.fix.code_before + truth.fix.code_after + truth.confirm.command;
  const sim::Job& job = instance.job;
  if (job.parallelism.kind == sim::Parallelism::Kind::fsdp) {
    EXPECT_EQ(code.find("DDP("), std::string::npos) << code;
  }
  if (job.work != sim::Work::training) {
    EXPECT_EQ(code.find("train.py"), std::string::npos) << code;
  }
  if (job.fabric.world_size() == 1) {
    EXPECT_EQ(code.find("torchrun"), std::string::npos) << code;
  }
}

TEST(TruthOfEveryScenario, IsReckonedAndPointsAtItsTrace) {
  int64_t instances = 0;
  int64_t tries = 0;
  int64_t undrawn = 0;
  for (const Scenario& scenario : all_scenarios()) {
    for (const Level level : {Level::standard, Level::hard}) {
      SCOPED_TRACE(std::string(scenario.id) + " " + std::string(to_string(level)));
      const auto simulated = simulate_instance(scenario, kSeed, level);
      if (!simulated) {
        // Hard instances of narrow bounds are not found for every seed; that is not for this test to tell.
        EXPECT_EQ(level, Level::hard) << simulated.error().text();
        ++undrawn;
        continue;
      }
      const SimulatedInstance& instance = *simulated;
      ++instances;
      tries += instance.tries;
      const Truth truth = make_truth(instance);
      if (scenario.max_win_permille > 0) {
        expect_sums_agree(truth);
      }
      ASSERT_GE(truth.evidence.size(), 2U);
      for (const EvidenceSpan& span : truth.evidence) {
        SCOPED_TRACE(span.letter);
        expect_on_trace(instance, span);
      }
      expect_sentences_cite(truth);
      expect_read_on_trace(instance, truth);
      expect_code_suits(instance, truth);
      for (const Lookalike& twin : truth.lookalikes) EXPECT_NE(catalog::find_cause(twin.cause), nullptr) << twin.cause;
    }
  }
  EXPECT_LE(undrawn, 1);
  // An instance whose sums do not come to its win is drawn again: that must stay the exception.
  EXPECT_LE(tries, 6 * instances);
}

}  // namespace
}  // namespace td::drill
