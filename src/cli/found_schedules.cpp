#include "cli/found_schedules.hpp"

#include <algorithm>

#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/schedule_word.hpp"
#include "cli/explore_results.hpp"
#include "explore/trace.hpp"
#include "request_explore/widening.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kStoryWidth = 80;
constexpr const char* kExploredFile = "explored.json";

// Faults with the same effect on a client process as a word has on a simulated one.
std::vector<std::string> faults_like(WordKind kind) {
  switch (kind) {
    case WordKind::lost:
      return {"reply_lost", "partition"};
    case WordKind::late:
      return {"partition", "delay", "hold_request"};
    case WordKind::cut:
      return {"connection_kill"};
    case WordKind::crash:
      return {"kill"};
    case WordKind::ahead:
    case WordKind::behind:
      return {"client_skew"};
    case WordKind::step:
    case WordKind::time:
    case WordKind::arrives:
    case WordKind::victim:
      break;
  }
  return {};
}

}  // namespace

std::vector<FoundSchedule> found_schedules(const std::string& folder, const std::vector<ExploreResult>& results) {
  std::vector<FoundSchedule> out;
  for (const auto& result : results) {
    for (const auto& find : result.violations) {
      if (find.cause.empty() || !find.counts) continue;
      FoundSchedule one;
      one.invariant = find.invariant;
      one.property = property_of(find.invariant);
      one.kind = kind_of_find(find);
      one.cause = find.cause;
      one.flaw = find.flaw;
      one.words = find.replay;
      one.replay = replay_path(folder, result, find);
      one.story = columns(find.steps, kStoryWidth);
      for (const Word& word : parse_words(one.words)) {
        if (word.is_fault()) one.faults.push_back(faults_like(word.kind));
      }
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::vector<FoundSchedule> stored_schedules(const std::string& folder, const RunVerdict& run) {
  const RunDirectory stored(folder);
  const bool searched = std::find(run.scenarios.begin(), run.scenarios.end(), kExplored) != run.scenarios.end();
  if (run.suite == kExplored || !searched || !stored.has(kExploredFile)) return {};
  const auto results = read_json_file(stored.file(kExploredFile), from_json<std::vector<ExploreResult>>);
  return results.empty() ? std::vector<FoundSchedule>{} : found_schedules(folder, {most_telling(results)});
}

}  // namespace holdfast
