#include "cli/explore_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/explore_results.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "explore/trace.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWidth = 120;
constexpr int kMostStories = 8;  // beside the cheapest of each invariant

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

// How far the search came, and its bounds.
std::string search_extent(const nlohmann::json& result) {
  const double seconds = result.at("seconds");
  const auto schedules = result.at("schedules").get<std::uint64_t>();
  const bool complete = result.at("complete");
  std::string out = fmt::format("{}: {} in {:.1f} s, {:.0f}/s", complete ? "complete" : "cut off",
                                plural(static_cast<std::int64_t>(schedules), "schedule", "schedules"), seconds,
                                seconds > 0 ? static_cast<double>(schedules) / seconds : 0.0);
  if (!complete) {
    out += fmt::format("; all that cost less than {} were run; {} random walks beside", result.at("levels").get<int>(),
                       result.at("walks").get<std::uint64_t>());
  }
  return out + "\nwithin: " + result.at("within").get<std::string>();
}

// "holds within these bounds": nothing holds without bounds.
std::string verdict_text(const nlohmann::json& result) {
  const std::string verdict = result.at("verdict");
  if (verdict == "holds") return "holds within its bounds";
  return verdict == "known" ? "violated as is known, within its bounds not otherwise" : verdict;
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
  say("with statements that really wait: {}{}\n", waits,
      waits == "the same" ? "" : "; so it counts for nothing, and the lock is not called violated by it");
}

bool is_first(const nlohmann::json& found) {
  return found.at("number") == 1;
}

Shown cause_line(const nlohmann::json& found) {
  const std::string cause = found.at("cause");
  return cause.empty() ? Shown() : shown("  cause: {}\n", cause);
}

// What print_explored tells of, and with it each of its parts.
struct ShownResult {
  const nlohmann::json& result;
  const std::string& folder;
  const ShellCommand& files;
};

std::string replay_command(const ShownResult& in, const nlohmann::json& found) {
  ShellCommand out(program_as_typed());
  return out.literal("replay").word(replay_path(in.folder, in.result, found)).append(in.files).text();
}

void print_find(const ShownResult& in, const nlohmann::json& found) {
  const auto& [result, folder, files] = in;
  const auto exported = scenario_of(result, found);
  say("\n{}{}: {}\n{}  needs {}\n  schedule: {}\n  replay: {}\n  as a scenario: {}\n\n",
      found.at("invariant").get<std::string>(), found.at("severe").get<bool>() ? "" : " (needs fencing)",
      found.at("text").get<std::string>(), cause_line(found), needs(found), found.at("replay").get<std::string>(),
      replay_command(in, found),
      exported.scenario.empty() ? "no, " + exported.why_not
                                : ShellCommand(scenario_path(folder, result, found)).text());
  say("{}", shown_lines(columns(trace_of(found.at("steps")), kWidth)));
  print_real_waits(found);
}

// What violates an invariant otherwise than its cheapest find does, in short.
void print_more_stories(const ShownResult& in) {
  const nlohmann::json& result = in.result;
  std::map<std::string, int> left;
  int told = 0;
  for (const auto& found : result.at("violations")) {
    if (is_first(found)) continue;
    if (++told > kMostStories) {
      ++left[found.at("invariant").get<std::string>()];
      continue;
    }
    say("\n{}, another story: {}\n{}  needs {}\n  schedule: {}\n  replay: {}\n",
        found.at("invariant").get<std::string>(), found.at("text").get<std::string>(), cause_line(found), needs(found),
        found.at("replay").get<std::string>(), replay_command(in, found));
    print_real_waits(found);
  }
  for (const auto& [invariant, count] : left) {
    say("\n{}: {}: explored.json and --json list all; --except REPLAY skips one\n", invariant,
        plural(count, "more kind of story", "more kinds of story"));
  }
  const auto untold = result.at("untold_stories").get<std::int64_t>();
  if (untold > 0) {
    say("\n{} not compared with these: the time was up (--budget)\n", plural(untold, "find was", "finds were"));
  }
}

void print_passed_over(const nlohmann::json& result) {
  for (const auto& known : result.at("passed_over")) {
    say("\npassed over: {}: {}\n  cause: {}\n  {}\n", known.at("name").get<std::string>(),
        known.at("invariant").get<std::string>(), known.at("cause").get<std::string>(),
        known.at("seen").get<bool>() ? "it was found again" : "it was not found within these bounds");
  }
}

std::size_t place_in(std::vector<std::string>& list, const std::string& text) {
  const auto known = std::find(list.begin(), list.end(), text);
  if (known != list.end()) return static_cast<std::size_t>(known - list.begin());
  list.push_back(text);
  return list.size() - 1;
}

// "two_holders (fault) and 2 more kinds of story, stuck; 1 known"
std::string found_text(const nlohmann::json& result) {
  std::map<std::string, int> stories;
  for (const auto& one : result.at("violations")) ++stories[one.at("invariant").get<std::string>()];
  std::string out;
  for (const auto& one : result.at("violations")) {
    if (!is_first(one)) continue;
    const std::string invariant = one.at("invariant");
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", invariant, one.at("faults").get<int>() > 0 ? " (fault)" : "");
    if (const int more = stories[invariant] - 1; more > 0) {
      out += " and " + plural(more, "more kind of story", "more kinds of story");
    }
  }
  std::int64_t known = 0;
  for (const auto& one : result.at("passed_over")) known += one.at("seen").get<bool>() ? 1 : 0;
  if (known > 0) out += fmt::format("{}{} known", out.empty() ? "" : "; ", known);
  return out;
}

}  // namespace

void print_explored(const nlohmann::json& result, const std::string& folder, const ShellCommand& files) {
  const ShownResult in{result, folder, files};
  const std::string lock = result.at("lock");
  say("{}: {}\n{}\n", lock, verdict_text(result), shown_lines(search_extent(result)));
  for (const auto& found : result.at("violations")) {
    if (is_first(found)) print_find(in, found);
  }
  print_more_stories(in);
  print_passed_over(result);
  if (result.at("grants").get<std::uint64_t>() == 0) {
    say("\nnobody was ever granted the lock, so nothing was tested\n");
  } else if (result.at("bounds").at("clients") == 1) {
    say("\nthere was only one client and so no contention: this does not show that the lock holds\n");
  } else if (result.at("violations").empty() && result.at("verdict") != "known") {
    say("\nno violation was found within these bounds\n");
  }
  say("\nnot explored: {}\n", not_explored_text(result));
}

void print_replayed(const nlohmann::json& result) {
  const auto& found = result.at("counterexample");
  const std::string invariant = found.at("invariant");
  say("{}\n", shown_lines(columns(trace_of(found.at("steps")), kWidth)));
  print_real_waits(found);
  say("{}: {}\n", result.at("lock").get<std::string>(),
      invariant.empty() ? "nothing is violated" : invariant + ": " + found.at("text").get<std::string>());
  const auto times = result.at("schedules").get<std::uint64_t>();
  if (times > 1) say("{} of {} replays identical\n", times, times);
  if (const std::string cause = found.at("cause"); !cause.empty()) say("cause: {}\n", cause);
}

void print_explored_table(const nlohmann::json& results) {
  say("{:<40} {:<10} {:<13} {:>9} {:>7}  {}\n", "lock", "verdict", "search", "schedules", "s", "violated");
  std::vector<std::string> bounds;  // of the rows; each says which are its own
  std::vector<std::string> outside;
  for (const auto& result : results) {
    const std::size_t place = place_in(bounds, result.at("within"));
    for (const auto& piece : result.at("not_explored")) place_in(outside, piece);
    const std::string search =
        fmt::format("{} [{}]", result.at("complete").get<bool>() ? "complete" : "cut off", place + 1);
    say("{:<40} {:<10} {:<13} {:>9} {:>7.1f}  {}\n", result.at("lock").get<std::string>(),
        result.at("verdict").get<std::string>(), search, result.at("schedules").get<std::uint64_t>(),
        result.at("seconds").get<double>(), found_text(result));
  }
  say("\n");
  for (std::size_t i = 0; i < bounds.size(); ++i) say("[{}] within {}\n", i + 1, bounds[i]);
  say("not explored:\n");
  for (const auto& piece : outside) {
    if (piece.rfind("within the bounds, ", 0) != 0) say("  {}\n", piece);
  }
}

}  // namespace holdfast
