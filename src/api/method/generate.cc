#include <vector>

#include "api/method.h"
#include "api/request.h"
#include "drill/drill.h"
#include "report/drill_json.h"
#include "report/step_picture.h"

namespace td::api::method {
namespace {

Status write_text(Io& io, const std::string& name, std::string_view text) {
  const std::unique_ptr<Sink> sink = TRY(io.open_sink(name));
  TRY_OK(sink->write(text));
  return sink->finish();
}

Status write_rank(Io& io, const std::string& name, const formats::Format& format, const trace::RankTrace& rank) {
  const std::unique_ptr<Sink> sink = TRY(io.open_sink(name));
  const std::vector<const trace::RankTrace*> ranks = {&rank};
  return format.write(ranks, *sink);  // finishes the sink
}

// {schema_version, seed, level, then the truth's members}.
Json truth_file(const drill::Truth& truth, uint32_t seed, drill::Level level) {
  Json json = Json::object();
  json.set("schema_version", Json::integer(1))
      .set("seed", Json::integer(seed))
      .set("level", Json::string(drill::to_string(level)));
  const Json members = report::truth_json(truth);  // named: a temporary would not outlive the loop's start
  for (const Json::Member& member : members.members()) json.set(member.first, member.second);
  return json;
}

Result<uint32_t> seed_of(const Json& request) {
  const Json& seed = request["seed"];
  // A command line hands on the text that it was given.
  if (seed.kind() == Json::Kind::string) {
    Result<uint32_t> parsed = drill::parse_seed(seed.as_string());
    if (!parsed) parsed.error().where = "seed";
    return parsed;
  }
  if (seed.kind() != Json::Kind::integer || seed.as_int() < 0 || seed.as_int() > UINT32_MAX) {
    return fail(ErrorCode::invalid_argument, "expected a whole number from 0 to 4294967295", "seed");
  }
  return static_cast<uint32_t>(seed.as_int());
}

Result<drill::Level> level_of(const Json& request) {
  if (request["level"].is_null()) return drill::Level::standard;
  return drill::parse_level(TRY(required_string(request, "level")));
}

// The scenario that was asked for, or what the seed draws from the deck of all causes.
Result<drill::Generated> generate_what(const Json& request, uint32_t seed, drill::Level level) {
  if (request["scenario"].is_null()) return drill::generate(drill::DrillName{&drill::core_deck(level), seed});
  const std::string_view id = TRY(required_string(request, "scenario"));
  return drill::generate(*TRY(drill::scenario_by_id(id, seed)), seed, level);
}

Result<Reply> handle(const Json& request, Io& io) {
  const uint32_t seed = TRY(seed_of(request));
  const std::string dir(TRY(required_string(request, "out")));
  const formats::Format* format = TRY(writable_format("chrome_json"));
  const drill::Level level = TRY(level_of(request));
  const bool picture = request["picture"].as_bool();
  const drill::Generated generated = TRY(generate_what(request, seed, level));

  Json files = Json::array();
  const auto& ranks = generated.exercise.trace.ranks;
  for (size_t i = 0; i < ranks.size(); ++i) {
    const std::string file = "rank" + std::to_string(ranks[i].rank) + ".json";
    std::string path = dir;
    path.append("/").append(file);
    if (io.progress->cancelled()) return fail(ErrorCode::cancelled, "cancelled", path);
    std::string stage = "writing ";
    stage.append(file);
    io.progress->report(stage, static_cast<int64_t>(i), static_cast<int64_t>(ranks.size()));
    TRY_OK(write_rank(io, path, *format, ranks[i]));
    files.push(Json::string(file));
  }
  TRY_OK(write_text(io, dir + "/drill.json", report::drill_file_json(generated.exercise, seed).dump(2) + "\n"));
  TRY_OK(write_text(io, dir + "/truth.json", truth_file(generated.truth, seed, level).dump(2) + "\n"));
  files.push(Json::string("drill.json")).push(Json::string("truth.json"));
  if (picture) {
    TRY_OK(write_text(io, dir + "/picture.svg", report::step_picture(generated)));
    files.push(Json::string("picture.svg"));
  }

  Reply reply;
  reply.json.set("out", Json::string(dir))
      .set("seed", Json::integer(seed))
      .set("level", Json::string(drill::to_string(level)))
      .set("cause", Json::string(generated.truth.cause))
      .set("scenario", Json::string(generated.truth.scenario))
      .set("ranks", Json::integer(static_cast<int64_t>(ranks.size())))
      .set("files", std::move(files));
  return reply;
}

}  // namespace

Method generate() {
  return {.name = "generate",
          .summary = "Writes the ranks of a scenario, what the learner sees, and the truth beside it",
          .for_pages = false,
          .handle = handle};
}

}  // namespace td::api::method
