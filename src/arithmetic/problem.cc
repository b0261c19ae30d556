#include "arithmetic/problem.h"

namespace td::arithmetic {

std::vector<Choice> yes_or_no() {
  return {{"yes", "y true fits fit ok it-fits does-fit"},
          {"no", "n false not does-not-fit doesn't-fit misfit oom too-big"}};
}

std::vector<Choice> compute_or_memory() {
  return {{"compute-bound", "compute flops flop math computebound compute-limited"},
          {"memory-bound", "memory mem bandwidth hbm membound memorybound bandwidth-bound memory-limited"}};
}

}  // namespace td::arithmetic
