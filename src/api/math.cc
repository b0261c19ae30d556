#include "api/math.h"

#include "api/request.h"
#include "arithmetic/card.h"
#include "arithmetic/name.h"
#include "drill/deck.h"
#include "drill/drill.h"
#include "drill/trace_sum.h"

namespace td::api {
namespace {

constexpr size_t kMostAttempts = 10'000;
constexpr int64_t kLongestMs = int64_t{1} << 43;

std::unexpected<Error> bad(std::string_view where, std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message), std::string(where));
}

Result<AskedProblem> by_category(const Json& request) {
  const std::string_view id = TRY(required_string(request, "category"));
  const arithmetic::Category* category = TRY(arithmetic::find_category(id));
  const uint32_t seed = TRY(required_seed(request));
  return AskedProblem{.name = arithmetic::problem_name(category->id, seed),
                      .problem = TRY(arithmetic::generate(*category, seed)),
                      .names_category = true};
}

// A sum with the numbers of a drill's trace.
Result<AskedProblem> by_drill(const std::string& name) {
  const Result<drill::SumName> parsed = drill::parse_sum_name(name);
  if (!parsed) {
    return bad(
        "problem",
        quote_short(name) + ": expected math.1/ with twelve digits 0-9 a-f, card.1/SEED, or a drill such as core.1/7");
  }
  const drill::Exercise exercise = TRY(drill::open_drill(parsed->drill));
  return AskedProblem{.name = name, .problem = TRY(drill::trace_sum(parsed->drill, exercise, parsed->kind))};
}

Result<arithmetic::Grade> grade_of(const Json& json) {
  for (const arithmetic::Grade grade : {arithmetic::Grade::right, arithmetic::Grade::close, arithmetic::Grade::wrong}) {
    if (arithmetic::to_string(grade) == json.as_string()) return grade;
  }
  return bad("attempts.grade", "expected right, close or wrong");
}

Result<arithmetic::Attempt> attempt_of(const Json& json) {
  arithmetic::Attempt out;
  out.category = json["category"].as_string();
  if (out.category.empty() || out.category.size() > 64)
    return bad("attempts.category", "expected the id of a category");
  out.grade = TRY(grade_of(json["grade"]));
  out.in_time = json["in_time"].as_bool(true);
  out.open_book = json["open_book"].as_bool(false);
  out.elapsed_ms = json["elapsed_ms"].as_int(0);
  if (out.elapsed_ms < 0 || out.elapsed_ms > kLongestMs)
    return bad("attempts.elapsed_ms", "expected whole milliseconds from 0");
  return out;
}

}  // namespace

Result<uint32_t> required_seed(const Json& request) {
  const Json& seed = request["seed"];
  if (seed.kind() == Json::Kind::string) {
    Result<uint32_t> parsed = drill::parse_seed(seed.as_string());
    if (!parsed) parsed.error().where = "seed";
    return parsed;
  }
  if (seed.kind() != Json::Kind::integer || seed.as_int() < 0 || seed.as_int() > UINT32_MAX) {
    return bad("seed", "expected a whole number from 0 to 4294967295");
  }
  return static_cast<uint32_t>(seed.as_int());
}

Result<AskedProblem> required_problem(const Json& request) {
  if (request["problem"].is_null() && !request["category"].is_null()) return by_category(request);
  const std::string name(TRY(required_string(request, "problem")));
  if (name.starts_with("card.")) {
    const uint32_t seed = TRY(arithmetic::parse_card_name(name));
    return AskedProblem{.name = name, .problem = arithmetic::draw_card(seed)};
  }
  if (!name.starts_with("math.")) return by_drill(name);
  const arithmetic::NamedProblem named = TRY(arithmetic::parse_problem_name(name));
  return AskedProblem{.name = name, .problem = TRY(arithmetic::generate(*named.category, named.seed))};
}

Result<std::vector<const arithmetic::Category*>> required_set(const Json& request) {
  const Json& set = request["set"];
  std::vector<const arithmetic::Category*> out;
  if (set.is_null() || set.as_string() == "core") return arithmetic::core_categories();
  if (set.as_string() == "all") {
    for (const arithmetic::Category& category : arithmetic::all_categories()) out.push_back(&category);
    return out;
  }
  for (const Json& id : set.items()) out.push_back(TRY(arithmetic::find_category(id.as_string())));
  if (out.empty()) return bad("set", "expected \"core\", \"all\" or a list of categories' ids");
  return out;
}

Result<std::vector<arithmetic::Attempt>> required_attempts(const Json& request) {
  const Json& json = request["attempts"];
  if (!json.is_null() && json.kind() != Json::Kind::array) return bad("attempts", "expected a list");
  if (json.items().size() > kMostAttempts) return bad("attempts", "more than 10000, expected the latest ones");
  std::vector<arithmetic::Attempt> out;
  for (const Json& one : json.items()) out.push_back(TRY(attempt_of(one)));
  return out;
}

}  // namespace td::api
