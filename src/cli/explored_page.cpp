#include "cli/explored_page.hpp"

#include <algorithm>

#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/shell_command.hpp"
#include "cli/explore_results.hpp"
#include "cli/output.hpp"
#include "explore/beliefs.hpp"
#include "explore/explore_result.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

// The flags of the search's command that name the user's own locks; a replay needs them as well.
ShellCommand own_files(const std::string& command) {
  ShellCommand out;
  const auto words = shell_words(command);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--lock-file" || word == "--adapter" || word == "--adapter-command") out.word(word).word(words[i + 1]);
  }
  return out;
}

std::string needs_text(const Cost& cost) {
  return plural(cost.preemptions, "preemption", "preemptions") + ", " +
         plural(cost.time_jumps, "time jump", "time jumps") + ", " + plural(cost.faults, "fault", "faults");
}

std::vector<ExploredStep> steps_of(const Trace& trace) {
  std::vector<ExploredStep> out;
  for (const TraceStep& step : trace) {
    out.push_back({step.word, step.client, clock_text(step.time_us), step.doing, step.statement, step.answer, step.said,
                   step.believers});
  }
  return out;
}

// The name of a find's file within the run's folder.
std::string name_in(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::map<std::string, std::vector<ExploredFind>> explored_finds(const std::string& folder, const RunVerdict& verdict) {
  static const std::string kName = "explored.json";
  std::map<std::string, std::vector<ExploredFind>> out;
  const RunDirectory run(folder);
  if (std::none_of(verdict.cells.begin(), verdict.cells.end(), is_explored) || !run.has(kName)) return out;
  const ShellCommand files = own_files(verdict.command);
  for (const auto& result : read_json_file(run.file(kName), from_json<std::vector<ExploreResult>>)) {
    for (const auto& find : result.violations) {
      ExploredFind one{find.invariant, find.text, find.cause, needs_text(find.cost), find.replay, "", "", true, {}};
      const std::string replay = replay_path(from_here(folder), result, find);
      one.replay = ShellCommand(program_as_typed()).literal("replay").word(replay).append(files).text();
      const std::string scenario = scenario_path(from_here(folder), result, find);
      if (run.has(name_in(scenario)))
        one.scenario = ShellCommand(program_as_typed()).literal("run").word(scenario).append(files).text();
      one.first = find.number == 1;
      one.steps = steps_of(find.steps);
      one.flaw = find.flaw;
      out[result.lock].push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace holdfast
