#include "catalog/catalog.h"

namespace td::catalog {

const Cause* find_cause(std::string_view id) {
  for (const Cause& cause : all_causes()) {
    if (cause.id == id) return &cause;
  }
  return nullptr;
}

const Choice* find_choice(std::span<const Choice> choices, std::string_view id) {
  for (const Choice& choice : choices) {
    if (choice.id == id) return &choice;
  }
  return nullptr;
}

std::vector<const Cause*> core_causes() {
  std::vector<const Cause*> core;
  const Cause* cannot_tell = nullptr;
  for (const Cause& cause : all_causes()) {
    if (cause.id == kInconclusive) {
      cannot_tell = &cause;
    } else if (cause.core) {
      core.push_back(&cause);
    }
  }
  if (cannot_tell != nullptr) core.push_back(cannot_tell);
  return core;
}

}  // namespace td::catalog
