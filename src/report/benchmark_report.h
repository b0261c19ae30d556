// A diagnoser's score as JSON and for a terminal.
#pragma once

#include <string>

#include "base/json.h"
#include "drill/benchmark.h"
#include "report/reading_text.h"

namespace td::report {

Json benchmark_json(const drill::Benchmark& benchmark);
std::string benchmark_text(const drill::Benchmark& benchmark, const TextStyle& style);

}  // namespace td::report
