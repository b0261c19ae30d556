// What a compiler makes of a row of passes: neighbours that stream become one Triton kernel, which reads each input
// once and writes what is needed later; matrix products, convolutions and attention stay calls into libraries. Names
// and numbers as TorchInductor gives them. Private to job/.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/job/graph.h"
#include "sim/job/program_writer.h"

namespace td::sim {

class Fuser {
 public:
  Fuser(const hardware::Gpu& gpu, ProgramWriter& writer) : gpu_(gpu), writer_(writer) {}

  // Writes the pass, or holds it back until what follows it is known.
  void add(const Pass& pass);
  // Writes what is held back: the end of a graph, or something that cannot be moved.
  void flush();

 private:
  void library_call(const Pass& pass);
  void triton(std::vector<std::string_view> ops, bool reduction, const Pass& from, double traffic_bytes);

  const hardware::Gpu& gpu_;
  ProgramWriter& writer_;
  std::vector<const Pass*> held_;
  std::map<std::pair<std::string, int64_t>, int32_t> numbers_;  // kernel and bytes -> its number
};

}  // namespace td::sim
