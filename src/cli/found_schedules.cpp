#include "cli/found_schedules.hpp"

#include <nlohmann/json.hpp>

#include "artifact/schedule_word.hpp"
#include "cli/explore_results.hpp"

namespace holdfast {
namespace {

// The faults that do to a client process what a word does to a simulated one.
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

std::vector<FoundSchedule> found_schedules(const std::string& folder, const nlohmann::json& results) {
  std::vector<FoundSchedule> out;
  for (const auto& result : results) {
    for (const auto& violation : result.at("violations")) {
      const std::string cause = violation.at("cause");
      if (cause.empty() || !violation.at("counts").get<bool>()) continue;
      FoundSchedule one;
      one.invariant = violation.at("invariant");
      one.property = property_of(one.invariant);
      one.kind = kind_of_find(violation);
      one.cause = cause;
      one.words = violation.at("replay");
      one.replay = replay_path(folder, result, violation);
      for (const Word& word : parse_words(one.words)) {
        if (word.is_fault()) one.faults.push_back(faults_like(word.kind));
      }
      out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace holdfast
