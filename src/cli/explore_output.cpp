#include "cli/explore_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "cli/explore_results.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "explore/trace.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWidest = 120;
constexpr int kMostStories = 8;  // in addition to the cheapest of each invariant

// The width of the steps in columns, which no terminal may break.
std::size_t steps_width() {
  const std::size_t screen = screen_columns();
  return screen == 0 ? kWidest : std::min(screen, kWidest);
}

// The extent of the search, and its bounds.
std::string search_extent(const ExploreResult& result) {
  std::string out =
      fmt::format("{}: {} in {:.1f} s, {:.0f}/s", result.complete ? "complete" : "cut off",
                  plural(static_cast<std::int64_t>(result.schedules), "schedule", "schedules"), result.seconds,
                  result.seconds > 0 ? static_cast<double>(result.schedules) / result.seconds : 0.0);
  if (!result.complete) {
    out += fmt::format("; ran all schedules that cost less than {}, and {} random walks", result.levels, result.walks);
  }
  return out + "\nwithin: " + result.within;
}

// "holds within these bounds": a result is never unconditional.
std::string verdict_text(const ExploreResult& result) {
  if (result.verdict == "holds") return "holds within its bounds";
  return result.verdict == "known" ? "violated only as already known, within its bounds" : result.verdict;
}

std::string needs(const ExploreFind& found) {
  const std::string text = plural(found.cost.preemptions, "preemption", "preemptions") + ", " +
                           plural(found.cost.time_jumps, "time jump", "time jumps") + ", " +
                           plural(found.cost.faults, "fault", "faults");
  // The cheapest schedule may use a fault although a costlier one needs none.
  return text + (found.cost.faults > 0 ? "; --faults 0 searches for one without faults" : "");
}

// Prints where the schedule makes a statement wait.
void print_real_waits(const ExploreFind& found) {
  if (!found.row_lock_waits) return;
  say("with statements that really wait: {}{}\n", found.real_waits,
      found.real_waits == "the same" ? "" : "; so this find does not count as a violation");
}

bool is_first(const ExploreFind& found) {
  return found.number == 1;
}

TerminalText cause_line(const ExploreFind& found) {
  TerminalText out;
  if (!found.flaw.empty()) out += terminal_text("  flaw: {}\n", found.flaw);
  if (!found.cause.empty()) out += terminal_text("  cause: {}\n", found.cause);
  return out;
}

// Data shared by all parts of print_explored.
struct ShownResult {
  const ExploreResult& result;
  const std::string& folder;
  const ShellCommand& files;
};

std::string replay_command(const ShownResult& in, const ExploreFind& found) {
  ShellCommand out(program_as_typed());
  return out.literal("replay").word(replay_path(in.folder, in.result, found)).append(in.files).text();
}

void print_find(const ShownResult& in, const ExploreFind& found) {
  const auto& [result, folder, files] = in;
  const auto exported = scenario_of(result, found);
  say("\n{}{}: {}\n{}  needs {}\n  schedule: {}\n  replay: {}\n  as a scenario: {}\n\n", found.invariant,
      found.severe ? "" : " (needs fencing)", found.text, cause_line(found), needs(found), found.replay,
      replay_command(in, found),
      exported.scenario.empty() ? "no, " + exported.why_not
                                : ShellCommand(scenario_path(folder, result, found)).text());
  say("{}", terminal_lines(columns(found.steps, steps_width())));
  print_real_waits(found);
}

// Prints further violations of an invariant, beyond its cheapest find, in short form.
void print_more_stories(const ShownResult& in) {
  const ExploreResult& result = in.result;
  std::map<std::string, int> left;
  int told = 0;
  for (const auto& found : result.violations) {
    if (is_first(found)) continue;
    if (++told > kMostStories) {
      ++left[found.invariant];
      continue;
    }
    say("\n{}, another find: {}\n{}  needs {}\n  schedule: {}\n  replay: {}\n", found.invariant, found.text,
        cause_line(found), needs(found), found.replay, replay_command(in, found));
    print_real_waits(found);
  }
  for (const auto& [invariant, count] : left) {
    say("\n{}: {}: explored.json and --json list all; --except REPLAY skips one\n", invariant,
        plural(count, "more find", "more finds"));
  }
  if (result.untold_stories > 0) {
    const char* const why = result.at_requests ? "the time ran out (--budget), or they could not be reproduced"
                                               : "the time ran out (--budget)";
    say("\n{} not compared with these: {}\n",
        plural(static_cast<std::int64_t>(result.untold_stories), "find was", "finds were"), why);
  }
}

void print_passed_over(const ExploreResult& result) {
  for (const auto& known : result.passed_over) {
    say("\nskipped: {}: {}\n  cause: {}\n  {}\n", known.name, known.invariant, known.cause,
        known.seen ? "found again" : "not found within these bounds");
  }
}

std::size_t place_in(std::vector<std::string>& list, const std::string& text) {
  const auto known = std::find(list.begin(), list.end(), text);
  if (known != list.end()) return static_cast<std::size_t>(known - list.begin());
  list.push_back(text);
  return list.size() - 1;
}

// "two_holders (fault) and 2 more finds, stuck; 1 known"
std::string found_text(const ExploreResult& result) {
  std::map<std::string, int> stories;
  for (const auto& one : result.violations) ++stories[one.invariant];
  std::string out;
  for (const auto& one : result.violations) {
    if (!is_first(one)) continue;
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", one.invariant, one.cost.faults > 0 ? " (fault)" : "");
    if (const int more = stories[one.invariant] - 1; more > 0) {
      out += " and " + plural(more, "more find", "more finds");
    }
  }
  std::int64_t known = 0;
  for (const auto& one : result.passed_over) known += one.seen ? 1 : 0;
  if (known > 0) out += fmt::format("{}{} known", out.empty() ? "" : "; ", known);
  return out;
}

}  // namespace

void print_explored(const ExploreResult& result, const std::string& folder, const ShellCommand& files) {
  const ShownResult in{result, folder, files};
  say("{}: {}\n{}\n", result.lock, verdict_text(result), terminal_lines(search_extent(result)));
  for (const auto& found : result.violations) {
    if (is_first(found)) print_find(in, found);
  }
  print_more_stories(in);
  print_passed_over(result);
  if (result.grants == 0) {
    say("\nno client was ever granted the lock, so nothing was tested\n");
  } else if (result.bounds.clients == 1) {
    say("\nonly one client took part, so there was no contention: this does not show that the lock holds\n");
  } else if (result.violations.empty() && result.verdict != "known") {
    say("\nno violation was found within these bounds\n");
  }
  say("\nnot explored: {}\n", not_explored_text(result));
}

void print_replayed(const ExploreResult& result, int repeats) {
  const ExploreFind& found = result.violations.front();
  say("{}\n", terminal_lines(columns(found.steps, steps_width())));
  print_real_waits(found);
  say("{}: {}\n", result.lock, found.invariant.empty() ? "nothing is violated" : found.invariant + ": " + found.text);
  if (result.at_requests) {
    say("{} of {} replays had the same result\n", result.schedules, repeats);
  } else if (result.schedules > 1) {
    say("{} of {} replays identical\n", result.schedules, result.schedules);
  }
  if (!found.flaw.empty()) say("flaw: {}\n", found.flaw);
  if (!found.cause.empty()) say("cause: {}\n", found.cause);
}

void print_explored_table(const std::vector<ExploreResult>& results) {
  say("{:<40} {:<10} {:<13} {:>9} {:>7}  {}\n", "lock", "verdict", "search", "schedules", "s", "violated");
  std::vector<std::string> bounds;  // bounds of the rows; each names its rows
  std::vector<std::string> outside;
  for (const auto& result : results) {
    const std::size_t place = place_in(bounds, result.within);
    for (const auto& piece : result.not_explored) place_in(outside, piece);
    const std::string search = fmt::format("{} [{}]", result.complete ? "complete" : "cut off", place + 1);
    say("{:<40} {:<10} {:<13} {:>9} {:>7.1f}  {}\n", result.lock, result.verdict, search, result.schedules,
        result.seconds, found_text(result));
  }
  say("\n");
  for (std::size_t i = 0; i < bounds.size(); ++i) say("[{}] within {}\n", i + 1, bounds[i]);
  say("not explored:\n");
  for (const auto& piece : outside) {
    if (piece.rfind("within the bounds, ", 0) != 0) say("  {}\n", piece);
  }
}

}  // namespace holdfast
