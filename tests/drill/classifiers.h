// Small classifiers that try to guess a drill's cause from what is stated around its trace.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace td::guess {

constexpr int kLabels = 11;  // at most

struct Words {
  int label = 0;
  std::set<std::string> words;
};

// One value a feature, the same features in every sample.
struct Numbers {
  int label = 0;
  std::vector<double> values;
};

// Share guessed right in five-fold cross-validation.
double bayes_accuracy(const std::vector<Words>& samples);        // Bernoulli naive Bayes, add-one smoothing
double neighbour_accuracy(const std::vector<Words>& samples);    // seven nearest by Jaccard distance
double tree_accuracy(const std::vector<Numbers>& samples);       // a decision tree, Gini, at least six samples a leaf
double neighbour_accuracy(const std::vector<Numbers>& samples);  // seven nearest, every feature of unit variance

}  // namespace td::guess
