#include "api/math.h"
#include "api/method.h"
#include "api/request.h"
#include "arithmetic/answer.h"
#include "arithmetic/grade.h"
#include "report/problem_json.h"

namespace td::api::method {
namespace {

constexpr int64_t kLongestMs = int64_t{1} << 43;

// An answer that cannot be read is the caller's error and no attempt. Without one the working is shown, and the
// attempt, if it was one, is wrong.
Result<Reply> handle(const Json& request, Io&) {
  const AskedProblem asked = TRY(required_problem(request));
  Reply reply;
  reply.json.set("problem", Json::string(asked.name))
      .set("category", Json::string(asked.problem.category))
      .set("seed", Json::integer(asked.problem.seed));
  const Json& elapsed = request["elapsed_ms"];
  const int64_t elapsed_ms = elapsed.as_int(0);
  if (!elapsed.is_null() && (elapsed.kind() != Json::Kind::integer || elapsed_ms < 0 || elapsed_ms > kLongestMs)) {
    return fail(ErrorCode::invalid_argument, "expected whole milliseconds from 0", "elapsed_ms");
  }
  const bool in_time = elapsed_ms <= arithmetic::kLimitMs;
  if (request["answer"].is_null()) {
    reply.json.set("grade", Json::string("wrong")).set("why", Json::string("No answer was given."));
    reply.json.set("slip", Json()).set("read_as", Json());
  } else {
    const std::string_view text = TRY(required_string(request, "answer"));
    const arithmetic::Answer answer = TRY(arithmetic::parse_answer(text, asked.problem));
    report::set_judgement(reply.json, arithmetic::grade(asked.problem, answer), answer);
  }
  reply.json.set("in_time", Json::boolean(in_time))
      .set("elapsed_ms", Json::integer(elapsed_ms))
      .set("open_book", Json::boolean(request["open_book"].as_bool(false)));
  report::set_question(reply.json, asked.problem);
  report::set_working(reply.json, asked.problem);
  return reply;
}

}  // namespace

Method math_answer() {
  return {.name = "math_answer",
          .summary = "Grades an answer, names the slip, and shows the working",
          .for_pages = true,
          .simulates = true,
          .handle = handle};
}

}  // namespace td::api::method
