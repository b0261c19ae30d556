#include "api/math.h"
#include "api/method.h"
#include "api/request.h"
#include "arithmetic/answer.h"

namespace td::api::method {
namespace {

// While one types: how the text is read, or what was expected instead; half a word is no error. Says nothing of right
// and wrong.
Result<Reply> handle(const Json& request, Io&) {
  const AskedProblem asked = TRY(required_problem(request));
  const std::string_view text = TRY(required_string(request, "answer"));
  const Result<arithmetic::Answer> answer = arithmetic::parse_answer(text, asked.problem);
  Reply reply;
  reply.json.set("read_as", answer ? Json::string(answer->read_as) : Json());
  reply.json.set("expected", answer ? Json() : Json::string(answer.error().message));
  return reply;
}

}  // namespace

Method math_check() {
  return {.name = "math_check",
          .summary = "How a typed answer is read, before it is given",
          .for_pages = true,
          .simulates = true,
          .handle = handle};
}

}  // namespace td::api::method
