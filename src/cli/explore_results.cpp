#include "cli/explore_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/explore_scenario.hpp"
#include "explore/replay_file.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

// What made it possible, in the words of the faults that client processes meet.
std::string kind_of(const nlohmann::json& violation) {
  if (violation.at("invariant") == "two_naive_holders") return "overrun";
  const std::string words = violation.at("replay");
  if (words.find("!ahead") != std::string::npos || words.find("!behind") != std::string::npos) return "client_skew";
  if (words.find("!cut") != std::string::npos) return "session_lost";
  const bool unheard = words.find("!lost") != std::string::npos || words.find("!late") != std::string::npos;
  return unheard ? "reply_lost" : "algorithm";
}

Witness witness_of(const nlohmann::json& violation) {
  Witness out;
  out.key = "orders";
  out.kind = kind_of(violation);
  out.text = violation.at("text").get<std::string>() + "; schedule: " + violation.at("replay").get<std::string>();
  return out;
}

TrialVerdict trial_of(const nlohmann::json& result) {
  TrialVerdict out;
  result.at("lock").get_to(out.lock);
  out.scenario = kExplored;
  out.clients = result.at("bounds").at("clients");
  const LockType& type = *find_entry(locks(), parse_lock_ref(out.lock).lock);
  out.model = type.fenced ? "fenced" : "owner";
  const bool complete = result.at("complete");
  for (const auto& name : type.promises()) {
    PropertyVerdict property;
    property.property = name;
    property.judgement = complete ? Judgement::holds : Judgement::undecided;
    if (!complete) property.reason = "the search was cut off";
    if (name == "resource") {
      property.judgement = Judgement::not_applicable;
      property.reason = "simulated clients write to no resource";
    }
    out.properties.push_back(std::move(property));
  }
  for (const auto& violation : result.at("violations")) {
    const std::string name = property_of(violation.at("invariant"));
    auto place = std::find_if(out.properties.begin(), out.properties.end(),
                              [&](const PropertyVerdict& p) { return p.property == name; });
    if (place == out.properties.end()) {
      place = out.properties.emplace(place);
      place->property = name;
    }
    const bool stands = place->judgement == Judgement::violated;  // by another invariant of the same property
    if (!violation.at("counts").get<bool>() && violation.at("grave").get<bool>()) {
      if (stands) continue;
      place->judgement = Judgement::undecided;
      place->reason = "a schedule went otherwise with statements that really wait";
      continue;
    }
    place->judgement = Judgement::violated;
    place->reason.clear();
    place->kind = kind_of(violation);
    ++place->kinds[place->kind];
    ++place->count;
    place->witnesses.push_back(witness_of(violation));
  }
  const std::string verdict = result.at("verdict");
  out.judgement = verdict == "violated" ? Judgement::violated
                  : verdict == "holds"  ? Judgement::holds
                                        : Judgement::undecided;
  return out;
}

Cell cell_of(const nlohmann::json& result) {
  Cell cell;
  result.at("lock").get_to(cell.lock);
  cell.scenario = kExplored;
  cell.why = fmt::format("{} schedules were run, {}", result.at("schedules").get<std::uint64_t>(),
                         result.at("complete").get<bool>() ? "all within the bounds" : "not all within the bounds");
  TrialResult trial;
  trial.folder = "cells/" + cell.lock + "/" + kExplored + "/1";
  trial.verdict = trial_of(result);
  trial.seconds = result.at("seconds");
  const Judgement judgement = trial.verdict.judgement;
  trial.outcome = judgement == Judgement::violated ? Outcome::unexpected
                  : judgement == Judgement::holds  ? Outcome::as_expected
                                                   : Outcome::undecided;
  cell.outcome = trial.outcome;
  cell.trials_as_expected = trial.outcome == Outcome::as_expected ? 1 : 0;
  cell.trials.push_back(std::move(trial));
  return cell;
}

}  // namespace

RunVerdict explored_verdict(const nlohmann::json& results) {
  RunVerdict out;
  out.suite = kExplored;
  out.scenarios = {kExplored};
  for (const auto& result : results) {
    out.cells.push_back(cell_of(result));
    out.locks.push_back(out.cells.back().lock);
    out.seconds += result.at("seconds").get<double>();
  }
  return out;
}

std::string replay_path(const std::string& folder, const nlohmann::json& result, const nlohmann::json& violation) {
  return folder + "/" + result.at("lock").get<std::string>() + "." + violation.at("invariant").get<std::string>() +
         ".replay";
}

std::string scenario_path(const std::string& folder, const nlohmann::json& result, const nlohmann::json& violation) {
  const std::string replay = replay_path(folder, result, violation);
  return replay.substr(0, replay.rfind('.')) + ".json";
}

void write_replays(const std::string& folder, const nlohmann::json& results) {
  for (const auto& result : results) {
    for (const auto& violation : result.at("violations")) {
      ReplayFile replay;
      replay.settings = settings_from_json(result.at("settings"));
      replay.words = parse_words(violation.at("replay"));
      replay.about = violation.at("invariant").get<std::string>() + ": " + violation.at("text").get<std::string>();
      write_text_file(replay_path(folder, result, violation), to_text(replay));
      const auto exported = scenario_of(result, violation);
      if (!exported.scenario.empty()) write_text_file(scenario_path(folder, result, violation), exported.scenario);
    }
  }
}

}  // namespace holdfast
