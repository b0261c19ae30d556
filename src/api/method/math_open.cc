#include "api/math.h"
#include "api/method.h"
#include "report/problem_json.h"

namespace td::api::method {
namespace {

Result<Reply> handle(const Json& request, Io&) {
  const AskedProblem asked = TRY(required_problem(request));
  Reply reply;
  if (asked.names_category) {
    reply.json.set("category", Json::string(asked.problem.category)).set("seed", Json::integer(asked.problem.seed));
  }
  report::set_question(reply.json, asked.problem);
  reply.json.set("problem", Json::string(asked.name));
  return reply;
}

}  // namespace

Method math_open() {
  return {.name = "math_open",
          .summary = "A problem's question, numbers and conventions; not its category, not its answer",
          .for_pages = true,
          .simulates = true,
          .handle = handle};
}

}  // namespace td::api::method
