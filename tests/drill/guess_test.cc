// A drill must not be guessable from what stands around its trace: naive Bayes and nearest neighbours on the words of
// the prompt and on the stated facts (model, GPU, fabric, batch) stay near chance.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "drill/drill.h"

namespace td {
namespace {

constexpr int kPerCause = 90;

struct Sample {
  int label = 0;
  std::set<std::string> words;
};

// Lower-case words; in prompts without digits, so that only the story is left, in facts with them.
void add_words(std::string_view text, std::string_view prefix, bool keep_digits, std::set<std::string>& out) {
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = (c >= '0' && c <= '9') || (c == '.' && !word.empty());
    if (letter || (digit && keep_digits)) {
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } else if (!word.empty()) {
      out.insert(std::string(prefix) + word);
      word.clear();
    }
  }
}

struct Samples {
  std::vector<Sample> prompts;
  std::vector<Sample> facts;
  std::vector<Sample> lengths;
};

// Thresholds that a length exceeds, a factor of about 1.2 apart: near lengths share many words.
void add_length(std::string_view what, int64_t value, std::set<std::string>& out) {
  for (int64_t threshold = 1000; threshold < value; threshold += threshold / 5) {
    out.insert(std::string(what) + std::to_string(threshold));
  }
}

Samples draw_samples() {
  Samples samples;
  const drill::Deck& deck = drill::all_decks()[0];
  for (int label = 0; label < static_cast<int>(deck.entries.size()); ++label) {
    for (int i = 0; i < kPerCause; ++i) {
      const auto seed = static_cast<uint64_t>(1000000 + i * 3 + label);
      const auto scenario = drill::draw_scenario(deck.entries[static_cast<size_t>(label)].cause, seed);
      EXPECT_TRUE(scenario.has_value());
      auto instance = drill::simulate_instance(**scenario, seed);
      EXPECT_TRUE(instance.has_value()) << instance.error().text();
      if (!instance) continue;
      const TimeNs step_ns = instance->run.mean_step_ns;
      const int64_t tokens_per_step = instance->run.tokens_per_step;
      const drill::Exercise exercise = drill::make_exercise(*std::move(instance), seed);
      Sample prompt{label, {}};
      add_words(exercise.prompt, "", false, prompt.words);
      Sample facts{label, {}};
      for (const drill::Fact& fact : exercise.facts) {
        add_words(fact.value, fact.label + ":", true, facts.words);
        facts.words.insert(fact.label + "=" + fact.value);
      }
      Sample lengths{label, {}};
      add_length("step", step_ns, lengths.words);
      add_length("tokens_per_s", tokens_per_step * kNsPerS / step_ns, lengths.words);
      samples.lengths.push_back(std::move(lengths));
      samples.prompts.push_back(std::move(prompt));
      samples.facts.push_back(std::move(facts));
    }
  }
  return samples;
}

// Bernoulli naive Bayes with add-one smoothing, trained on all samples but the fold's.
int bayes_guess(const std::vector<Sample>& samples, size_t fold, size_t folds, const Sample& sample, int labels) {
  std::map<std::string, std::vector<int>> with;
  std::vector<int> count(static_cast<size_t>(labels), 0);
  for (size_t i = 0; i < samples.size(); ++i) {
    if (i % folds == fold) continue;
    ++count[static_cast<size_t>(samples[i].label)];
    for (const std::string& word : samples[i].words) {
      auto& counts = with[word];
      counts.resize(static_cast<size_t>(labels), 0);
      ++counts[static_cast<size_t>(samples[i].label)];
    }
  }
  int best = 0;
  double best_score = -1e300;
  for (int label = 0; label < labels; ++label) {
    const auto at = static_cast<size_t>(label);
    double score = std::log(count[at] + 1.0);
    for (const auto& [word, counts] : with) {
      const double p = (counts[at] + 1.0) / (count[at] + 2.0);
      score += std::log(sample.words.contains(word) ? p : 1 - p);
    }
    if (score > best_score) {
      best_score = score;
      best = label;
    }
  }
  return best;
}

// Seven nearest by Jaccard distance.
int neighbour_guess(const std::vector<Sample>& samples, size_t fold, size_t folds, const Sample& sample, int labels) {
  std::vector<std::pair<double, int>> near;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (i % folds == fold) continue;
    size_t common = 0;
    for (const std::string& word : samples[i].words) common += sample.words.contains(word) ? 1 : 0;
    const size_t all = samples[i].words.size() + sample.words.size() - common;
    near.emplace_back(1.0 - static_cast<double>(common) / static_cast<double>(all == 0 ? 1 : all), samples[i].label);
  }
  std::sort(near.begin(), near.end());
  std::vector<int> votes(static_cast<size_t>(labels), 0);
  for (size_t i = 0; i < 7 && i < near.size(); ++i) ++votes[static_cast<size_t>(near[i].second)];
  return static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

using Guess = int (*)(const std::vector<Sample>&, size_t, size_t, const Sample&, int);

// Share guessed right in five-fold cross-validation.
double accuracy(const std::vector<Sample>& samples, Guess guess) {
  constexpr size_t kFolds = 5;
  int right = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    right += guess(samples, i % kFolds, kFolds, samples[i], 3) == samples[i].label ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(samples.size());
}

// Upper end of the 95 % interval.
double upper_bound(double share, size_t count) {
  return share + 1.96 * std::sqrt(share * (1 - share) / static_cast<double>(count));
}

// Three causes drawn equally often: chance is 1/3. What physics ties together cannot all be made equal (on one GPU and
// fabric a bandwidth-bound job has fewer tokens a rank than a healthy one), so it is spread over GPU, fabric, model and
// step length until each of them alone says little. Telling bandwidth-bound from the rest without fail, and no more,
// would be right in 2/3.
TEST(Guessing, PromptsAndFactsStayNearChance) {
  const Samples samples = draw_samples();
  ASSERT_EQ(samples.prompts.size(), 3U * kPerCause);
  struct Result {
    const char* what;
    double share;
    double allowed;
  };
  const Result results[] = {
      {"prompt words, naive Bayes", accuracy(samples.prompts, bayes_guess), 0.48},
      {"prompt words, neighbours", accuracy(samples.prompts, neighbour_guess), 0.48},
      {"facts, naive Bayes", accuracy(samples.facts, bayes_guess), 0.60},
      {"facts, neighbours", accuracy(samples.facts, neighbour_guess), 0.60},
      {"step and rate, naive Bayes", accuracy(samples.lengths, bayes_guess), 0.65},
      {"step and rate, neighbours", accuracy(samples.lengths, neighbour_guess), 0.65},
  };
  for (const Result& result : results) {
    const double bound = upper_bound(result.share, samples.prompts.size());
    std::printf("%-28s %.3f right, upper bound %.3f\n", result.what, result.share, bound);
    EXPECT_LE(bound, result.allowed) << result.what;
  }
}

// The classifiers do find an answer that leaks: the same samples with the cause's id as a word.
TEST(Guessing, TheClassifiersWouldNoticeALeak) {
  std::vector<Sample> leaky;
  for (int i = 0; i < 90; ++i) {
    const std::string label = std::to_string(i % 3);
    leaky.push_back({i % 3, {"word" + std::to_string(i % 7), "leak" + label, "another" + label}});
  }
  EXPECT_GT(accuracy(leaky, bayes_guess), 0.95);
  EXPECT_GT(accuracy(leaky, neighbour_guess), 0.95);
}

}  // namespace
}  // namespace td
