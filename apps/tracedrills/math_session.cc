#include "tracedrills/math_session.h"

#include <algorithm>
#include <vector>

namespace td::app {
namespace {

constexpr size_t kWidth = 88;

// Breaks at spaces, `indent` before each line.
std::string wrapped(std::string_view text, size_t indent) {
  std::string out(indent, ' ');
  size_t column = indent;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string minutes(int64_t ms) {
  const int64_t s = ms / 1000;
  const std::string seconds = std::to_string(s % 60);
  return std::to_string(s / 60) + ":" + std::string(seconds.size() < 2 ? 1 : 0, '0') + seconds;
}

std::string step_line(std::string_view number, const Json& step) {
  std::string out = wrapped(std::string(number) + std::string(step["text"].as_string()), 2);
  out += "       " + std::string(step["sum"].as_string()) + "\n";
  return out;
}

std::string verdict_line(const Json& graded, bool missed) {
  std::string out = missed ? "MISS (over 2:00), " : "";
  out += graded["grade"].as_string();
  if (const std::string_view slip = graded["slip"].as_string(); !slip.empty()) out.append(" - slip: ").append(slip);
  return out + "\n" + wrapped(graded["why"].as_string(), 0);
}

// One run of the program: what was attempted, and how it is said at the end.
class Run {
 public:
  explicit Run(const MathSession& session) : session_(&session), begin_ms_(session.now_ms()) {}

  Status all() {
    TRY_OK(session_->print(greeting()));
    for (uint32_t i = 0; !over(); ++i) {
      const std::string name = TRY(next(i));
      if (!TRY(one(name))) break;
    }
    return session_->print(TRY(summary()));
  }

 private:
  [[nodiscard]] bool is_storm() const { return session_->mode == "storm"; }
  [[nodiscard]] int64_t storm_left_ms() const { return 180'000 - (session_->now_ms() - begin_ms_); }
  [[nodiscard]] bool over() const { return is_storm() && storm_left_ms() <= 0; }

  [[nodiscard]] std::string greeting() const {
    if (is_storm()) return "Storm: three minutes, as many as you can. Enter alone skips, q ends.\n\n";
    return "Type a number with its unit, or a verdict. Enter alone shows the working, q ends.\n\n";
  }

  Result<std::string> next(uint32_t i) {
    if (i == 0 && session_->first) return session_->first.value_or("");
    const bool weakest = session_->mode == "weakest";
    Json request = Json::object();
    request.set("seed", Json::integer(session_->seed + i))
        .set("mode", Json::string(session_->mode == "cards" ? "cards"
                                  : weakest                 ? "weakest"
                                                            : "plain"))
        .set("set", session_->set)
        .set("attempts", attempts_);
    const Json reply = TRY(session_->call("math_next", request));
    return std::string(reply["problem"].as_string());
  }

  // Asks one; false once the learner has had enough.
  Result<bool> one(const std::string& name) {
    Json request = Json::object().set("problem", Json::string(name));
    const Json opened = TRY(session_->call("math_open", request));
    TRY_OK(session_->print(question_text(opened)));
    const int64_t since_ms = session_->now_ms();
    for (;;) {
      TRY_OK(session_->print("> "));
      const std::optional<std::string> line = session_->read_line();
      if (!line || *line == "q" || *line == "quit") {
        TRY_OK(session_->print("\n"));
        return false;
      }
      if (over()) {
        TRY_OK(session_->print("Time. That one does not count.\n\n"));
        return false;
      }
      request.set("answer", line->empty() ? Json() : Json::string(*line));
      const int64_t elapsed_ms = session_->has_clock ? session_->now_ms() - since_ms : 0;
      request.set("elapsed_ms", Json::integer(elapsed_ms));
      const Result<Json> graded = session_->call("math_answer", request);
      if (!graded && graded.error().where == "answer") {  // not an answer: the clock goes on
        TRY_OK(session_->print(wrapped(graded.error().message, 0)));
        continue;
      }
      if (!graded) return std::unexpected(graded.error());
      remember(*graded);
      const bool missed = !(*graded)["in_time"].as_bool(true);
      TRY_OK(session_->print(verdict_line(*graded, missed) + (is_storm() ? "\n" : working_text(*graded) + "\n")));
      return true;
    }
  }

  void remember(const Json& graded) {
    Json attempt = Json::object();
    for (const char* key : {"category", "grade", "in_time", "elapsed_ms"}) attempt.set(key, graded[key]);
    attempts_.push(std::move(attempt));
  }

  Result<std::string> summary() {
    const Json reply = TRY(session_->call("math_summary", Json::object().set("attempts", attempts_)));
    const Json& all = reply["all"];
    const int64_t count = all["count"].as_int();
    if (count == 0) return std::string("No answers.\n");
    std::string out = std::to_string(count) + " answered: " + std::to_string(all["right"].as_int()) + " right, " +
                      std::to_string(all["close"].as_int()) + " close, " + std::to_string(all["wrong"].as_int()) +
                      " wrong, " + std::to_string(all["miss"].as_int()) + " over the time; median " +
                      minutes(all["median_ms"].as_int());
    if (is_storm()) out += ", " + minutes((session_->now_ms() - begin_ms_) / count) + " each";
    return out + "\n";
  }

  const MathSession* session_;
  int64_t begin_ms_;
  Json attempts_ = Json::array();
};

}  // namespace

Status run_math_session(const MathSession& session) { return Run(session).all(); }

std::string question_text(const Json& opened) {
  std::string out = wrapped(opened["question"].as_string(), 0) + wrapped(opened["conventions"].as_string(), 2);
  if (opened["asks"].as_string() == "verdict") {
    std::string choices;
    for (const Json& choice : opened["choices"].items())
      choices.append(choices.empty() ? "" : " / ").append(choice.as_string());
    return out + "  [" + choices + "]\n";
  }
  const std::string_view unit = opened["unit"].as_string();
  return out + (unit.empty() ? std::string() : "  [a bare number is in " + std::string(unit) + "]\n");
}

std::string working_text(const Json& graded) {
  std::string out;
  const std::string_view title = graded["title"].as_string();
  if (!title.empty()) out += "  " + std::string(title) + ": " + std::string(graded["identity"].as_string()) + "\n";
  int number = 0;
  for (const Json& step : graded["steps"].items()) out += step_line(std::to_string(++number) + ". ", step);
  if (!graded["shortcut"].is_null()) out += step_line("In the head: ", graded["shortcut"]);
  if (!graded["in_practice"].is_null()) out += step_line("In practice: ", graded["in_practice"]);
  if (const std::string_view source = graded["source"].as_string(); !source.empty()) {
    out += wrapped("Source: " + std::string(source), 2);
  }
  return out;
}

}  // namespace td::app
