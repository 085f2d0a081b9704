#include "cli/explore_output.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/explore_results.hpp"
#include "cli/explore_scenario.hpp"
#include "cli/output.hpp"
#include "explore/trace.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWidth = 120;

Trace trace_of(const nlohmann::json& steps) {
  Trace out;
  for (const auto& step : steps) {
    TraceStep one;
    step.at("word").get_to(one.word);
    step.at("client").get_to(one.client);
    step.at("time_us").get_to(one.time_us);
    step.at("operation").get_to(one.doing);
    step.at("statement").get_to(one.statement);
    step.at("answer").get_to(one.answer);
    step.at("said").get_to(one.said);
    step.at("believers").get_to(one.believers);
    out.push_back(std::move(one));
  }
  return out;
}

std::string within(const nlohmann::json& result) {
  const auto& bounds = result.at("bounds");
  const auto n = [&](const char* key) { return bounds.at(key).get<int>(); };
  const double seconds = result.at("seconds");
  const auto schedules = result.at("schedules").get<std::uint64_t>();
  return fmt::format(
      "{}: {} of {} x {}, at most {}, {} and {}; {:.1f} s, "
      "{:.0f}/s{}",
      result.at("complete").get<bool>() ? "complete" : "cut off",
      plural(static_cast<std::int64_t>(schedules), "schedule", "schedules"), plural(n("clients"), "client", "clients"),
      plural(n("rounds"), "round", "rounds"), plural(n("preemptions"), "preemption", "preemptions"),
      plural(n("time_jumps"), "time jump", "time jumps"), plural(n("faults"), "fault", "faults"), seconds,
      seconds > 0 ? static_cast<double>(schedules) / seconds : 0.0,
      result.at("complete").get<bool>()
          ? ""
          : fmt::format("; all that cost less than {} were run; {} random walks beside", result.at("levels").get<int>(),
                        result.at("walks").get<std::uint64_t>()));
}

std::string needs(const nlohmann::json& found) {
  const auto n = [&](const char* key, const char* one, const char* many) {
    return plural(found.at(key).get<int>(), one, many);
  };
  const std::string text = n("preemptions", "preemption", "preemptions") + ", " +
                           n("time_jumps", "time jump", "time jumps") + ", " + n("faults", "fault", "faults");
  // The cheapest schedule may have a fault where a dearer one needs none.
  return text + (found.at("faults").get<int>() > 0 ? "; --faults 0 looks for one without" : "");
}

// Where the schedule has a statement wait.
void print_real_waits(const nlohmann::json& found) {
  if (!found.at("row_lock_waits").get<bool>()) return;
  const std::string waits = found.at("real_waits");
  fmt::print("with statements that really wait: {}{}\n", waits,
             waits == "the same" ? "" : "; so it counts for nothing, and the lock is not called violated by it");
}

// What the search took for granted, where that is not what was asked for.
void print_lease(const nlohmann::json& result) {
  const std::int64_t asked_ms = result.at("settings").at("lease_ms");
  const std::int64_t promised_ms = result.at("promised_lease_ms");
  if (promised_ms == asked_ms) return;
  fmt::print("the lease of {} ms is rounded up to {} ms, which is what is promised: the lock takes whole seconds\n",
             asked_ms, promised_ms);
}

}  // namespace

void print_explored(const nlohmann::json& result, const std::string& folder) {
  const std::string lock = result.at("lock");
  fmt::print("{}: {}\n{}\n", lock, result.at("verdict").get<std::string>(), within(result));
  print_lease(result);
  if (!result.at("lock_keeps_nothing").get<bool>()) {
    fmt::print(
        "the lock's object has members: what a client's object keeps from one attempt to the next was followed, what "
        "is "
        "outside of it (static, global) was not\n");
  }
  for (const auto& found : result.at("violations")) {
    const auto exported = scenario_of(result, found);
    fmt::print(
        "\n{}{}: {}\n  needs {}\n  schedule: {}\n  replay: {}\n  as a scenario: {}\n\n",
        found.at("invariant").get<std::string>(), found.at("grave").get<bool>() ? "" : " (needs fencing)",
        found.at("text").get<std::string>(), needs(found), found.at("replay").get<std::string>(),
        shell_word(replay_path(folder, result, found)),
        exported.scenario.empty() ? "no, " + exported.why_not : shell_word(scenario_path(folder, result, found)));
    fmt::print("{}", columns(trace_of(found.at("steps")), kWidth));
    print_real_waits(found);
  }
  if (result.at("grants").get<std::uint64_t>() == 0) {
    fmt::print("nobody was ever granted the lock, so nothing was tried\n");
  } else if (result.at("violations").empty()) {
    fmt::print("nothing was found to be violated within these bounds\n");
  }
}

void print_replayed(const nlohmann::json& result) {
  const auto& found = result.at("counterexample");
  const std::string invariant = found.at("invariant");
  fmt::print("{}\n", columns(trace_of(found.at("steps")), kWidth));
  print_real_waits(found);
  fmt::print("{}: {}\n", result.at("lock").get<std::string>(),
             invariant.empty() ? "nothing is violated" : invariant + ": " + found.at("text").get<std::string>());
  const auto times = result.at("schedules").get<std::uint64_t>();
  if (times > 1) fmt::print("{} of {} replays identical\n", times, times);
}

void print_explored_table(const nlohmann::json& results) {
  fmt::print("{:<40} {:<10} {:<9} {:>9} {:>7}  {}\n", "lock", "verdict", "search", "schedules", "s", "violated");
  for (const auto& result : results) {
    std::string found;
    for (const auto& one : result.at("violations")) {
      const int faults = one.at("faults");
      found += fmt::format("{}{}{}", found.empty() ? "" : ", ", one.at("invariant").get<std::string>(),
                           faults > 0 ? " (fault)" : "");
    }
    fmt::print("{:<40} {:<10} {:<9} {:>9} {:>7.1f}  {}\n", result.at("lock").get<std::string>(),
               result.at("verdict").get<std::string>(), result.at("complete").get<bool>() ? "complete" : "cut off",
               result.at("schedules").get<std::uint64_t>(), result.at("seconds").get<double>(), found);
  }
}

}  // namespace holdfast
