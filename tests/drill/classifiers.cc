#include "classifiers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace td::guess {
namespace {

constexpr size_t kFolds = 5;
constexpr size_t kNeighbours = 7;

using Counts = std::array<int, kLabels>;

int most_frequent(const Counts& counts) {
  return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

template <typename Sample>
std::vector<const Sample*> all_but(const std::vector<Sample>& samples, size_t fold) {
  std::vector<const Sample*> out;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (i % kFolds != fold) out.push_back(&samples[i]);
  }
  return out;
}

// `learn` takes the samples of the other folds and gives a function from sample to label.
template <typename Sample, typename Learn>
double cross_validated(const std::vector<Sample>& samples, Learn learn) {
  int right = 0;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    const auto guess = learn(all_but(samples, fold));
    for (size_t i = fold; i < samples.size(); i += kFolds) right += guess(samples[i]) == samples[i].label ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(samples.size());
}

int vote(std::vector<std::pair<double, int>> near) {
  std::sort(near.begin(), near.end());
  Counts votes{};
  for (size_t i = 0; i < kNeighbours && i < near.size(); ++i) ++votes[static_cast<size_t>(near[i].second)];
  return most_frequent(votes);
}

double jaccard_distance(const Words& a, const Words& b) {
  size_t common = 0;
  for (const std::string& word : a.words) common += b.words.contains(word) ? 1 : 0;
  const size_t all = a.words.size() + b.words.size() - common;
  return 1.0 - static_cast<double>(common) / static_cast<double>(all == 0 ? 1 : all);
}

Counts counts_of(const std::vector<const Numbers*>& samples) {
  Counts counts{};
  for (const Numbers* sample : samples) ++counts[static_cast<size_t>(sample->label)];
  return counts;
}

// Gini impurity times the number of samples.
double impurity(const Counts& counts) {
  double all = 0;
  double squares = 0;
  for (int count : counts) {
    all += count;
    squares += static_cast<double>(count) * count;
  }
  return all == 0 ? 0 : all - squares / all;
}

struct Split {
  double impurity = 0;
  size_t feature = 0;
  double threshold = 0;
};

constexpr size_t kLeaf = 6;

// The best cut of `samples` in two, no better than `best`.
void try_feature(std::vector<const Numbers*> samples, size_t feature, Split& best) {
  std::sort(samples.begin(), samples.end(),
            [&](const Numbers* a, const Numbers* b) { return a->values[feature] < b->values[feature]; });
  Counts left{};
  Counts right = counts_of(samples);
  for (size_t i = 0; i + 1 < samples.size(); ++i) {
    ++left[static_cast<size_t>(samples[i]->label)];
    --right[static_cast<size_t>(samples[i]->label)];
    const double here = samples[i]->values[feature];
    const double next = samples[i + 1]->values[feature];
    if (here == next || i + 1 < kLeaf || samples.size() - i - 1 < kLeaf) continue;
    const double sum = impurity(left) + impurity(right);
    if (sum < best.impurity) best = {sum, feature, (here + next) / 2};
  }
}

struct Node {
  int label = 0;
  Split split;
  std::vector<Node> children;  // none, or two: not above the threshold, above it
};

Node grow(const std::vector<const Numbers*>& samples, int depth) {
  Node node;
  const Counts counts = counts_of(samples);
  node.label = most_frequent(counts);
  node.split.impurity = impurity(counts) - 1e-9;
  const double before = node.split.impurity;
  if (depth == 0 || samples.empty()) return node;
  for (size_t feature = 0; feature < samples[0]->values.size(); ++feature) try_feature(samples, feature, node.split);
  if (node.split.impurity >= before) return node;
  std::array<std::vector<const Numbers*>, 2> sides;
  for (const Numbers* sample : samples) {
    sides[sample->values[node.split.feature] > node.split.threshold ? 1 : 0].push_back(sample);
  }
  for (const auto& side : sides) node.children.push_back(grow(side, depth - 1));
  return node;
}

int guess_of(const Node& node, const Numbers& sample) {
  if (node.children.empty()) return node.label;
  const bool above = sample.values[node.split.feature] > node.split.threshold;
  return guess_of(node.children[above ? 1 : 0], sample);
}

// 1 / variance of every feature; 0 for one that does not vary.
std::vector<double> weights_of(const std::vector<const Numbers*>& samples) {
  std::vector<double> weights;
  const auto count = static_cast<double>(samples.size());
  for (size_t feature = 0; feature < samples[0]->values.size(); ++feature) {
    double sum = 0;
    double squares = 0;
    for (const Numbers* sample : samples) sum += sample->values[feature];
    for (const Numbers* sample : samples) {
      squares += (sample->values[feature] - sum / count) * (sample->values[feature] - sum / count);
    }
    weights.push_back(squares > 1e-12 ? count / squares : 0);
  }
  return weights;
}

}  // namespace

double bayes_accuracy(const std::vector<Words>& samples) {
  return cross_validated(samples, [](const std::vector<const Words*>& known) {
    std::map<std::string, Counts> with;
    Counts count{};
    for (const Words* sample : known) {
      ++count[static_cast<size_t>(sample->label)];
      for (const std::string& word : sample->words) ++with[word][static_cast<size_t>(sample->label)];
    }
    return [with, count](const Words& sample) {
      std::array<double, kLabels> score{};
      for (size_t label = 0; label < kLabels; ++label) {
        score[label] = std::log(count[label] + 1.0);
        for (const auto& [word, counts] : with) {
          const double p = (counts[label] + 1.0) / (count[label] + 2.0);
          score[label] += std::log(sample.words.contains(word) ? p : 1 - p);
        }
      }
      return static_cast<int>(std::max_element(score.begin(), score.end()) - score.begin());
    };
  });
}

double neighbour_accuracy(const std::vector<Words>& samples) {
  return cross_validated(samples, [](const std::vector<const Words*>& known) {
    return [known](const Words& sample) {
      std::vector<std::pair<double, int>> near;
      for (const Words* other : known) near.emplace_back(jaccard_distance(sample, *other), other->label);
      return vote(std::move(near));
    };
  });
}

double tree_accuracy(const std::vector<Numbers>& samples) {
  constexpr int kDepth = 6;
  return cross_validated(samples, [](const std::vector<const Numbers*>& known) {
    return [tree = grow(known, kDepth)](const Numbers& sample) { return guess_of(tree, sample); };
  });
}

double neighbour_accuracy(const std::vector<Numbers>& samples) {
  return cross_validated(samples, [](const std::vector<const Numbers*>& known) {
    return [known, weights = weights_of(known)](const Numbers& sample) {
      std::vector<std::pair<double, int>> near;
      for (const Numbers* other : known) {
        double distance = 0;
        for (size_t i = 0; i < weights.size(); ++i) {
          const double apart = sample.values[i] - other->values[i];
          distance += weights[i] * apart * apart;
        }
        near.emplace_back(distance, other->label);
      }
      return vote(std::move(near));
    };
  });
}

}  // namespace td::guess
