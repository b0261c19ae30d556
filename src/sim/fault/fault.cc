#include "sim/fault/fault.h"

namespace td::sim {

int64_t FaultInstance::number(std::string_view key, int64_t otherwise) const {
  for (const auto& [name, value] : numbers) {
    if (name == key) return value;
  }
  return otherwise;
}

std::string_view FaultInstance::word(std::string_view key) const {
  for (const auto& [name, value] : words) {
    if (name == key) return value;
  }
  return {};
}

const Fault* find_fault(std::string_view id) {
  for (const Fault& fault : all_faults()) {
    if (fault.id == id) return &fault;
  }
  return nullptr;
}

}  // namespace td::sim
