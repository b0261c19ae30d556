#include "api/math.h"
#include "api/method.h"
#include "api/request.h"
#include "arithmetic/card.h"
#include "arithmetic/name.h"
#include "drill/deck.h"

namespace td::api::method {
namespace {

// The name alone: what kind of problem it is, it does not say.
Result<Reply> handle(const Json& request, Io&) {
  const uint32_t seed = TRY(required_seed(request));
  const std::string_view mode = request["mode"].is_null() ? "plain" : request["mode"].as_string();
  Reply reply;
  if (mode == "cards") {
    reply.json.set("problem", Json::string(arithmetic::card_name(seed)));
    return reply;
  }
  if (mode == "traces") {
    const std::string drill = drill::core_deck(drill::Level::standard).name() + "/" + std::to_string(seed);
    reply.json.set("problem", Json::string(seed % 2 == 0 ? drill : drill + "/rate"));
    return reply;
  }
  if (mode != "plain" && mode != "weakest") {
    return fail(ErrorCode::invalid_argument, "expected plain, weakest, cards or traces", "mode");
  }
  const std::vector<const arithmetic::Category*> set = TRY(required_set(request));
  const std::vector<arithmetic::Attempt> attempts = TRY(required_attempts(request));
  const arithmetic::Category& category =
      mode == "weakest" ? arithmetic::pick_weakest(set, attempts, seed) : arithmetic::pick_any(set, seed);
  reply.json.set("problem", Json::string(arithmetic::problem_name(category.id, seed)));
  return reply;
}

}  // namespace

Method math_next() {
  return {.name = "math_next",
          .summary = "The name of a next problem: any of a set, the weakest of it by earlier attempts, or a card",
          .for_pages = true,
          .handle = handle};
}

}  // namespace td::api::method
