#include "cli/explore_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "cli/explore_scenario.hpp"
#include "explore/replay_file.hpp"
#include "lock/lock.hpp"
#include "reports/durations.hpp"

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

Witness known_witness(const nlohmann::json& known) {
  Witness out;
  out.key = "orders";
  out.kind = "algorithm";
  out.text = known.at("invariant").get<std::string>() + ", which is known: " + known.at("cause").get<std::string>() +
             " (" + known.at("name").get<std::string>() + ")";
  return out;
}

void add_violation(Witness witness, PropertyVerdict& property) {
  property.judgement = Judgement::violated;
  property.reason.clear();
  property.kind = witness.kind;
  ++property.kinds[property.kind];
  ++property.count;
  property.witnesses.push_back(std::move(witness));
}

PropertyVerdict& property_found(const nlohmann::json& find, TrialVerdict& verdict) {
  const std::string name = property_of(find.at("invariant"));
  for (auto& property : verdict.properties) {
    if (property.property == name) return property;
  }
  verdict.properties.emplace_back().property = name;
  return verdict.properties.back();
}

// A property of which nothing was found to be violated.
PropertyVerdict unviolated_property(const std::string& name, const nlohmann::json& result) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = Judgement::holds;
  out.reason = "within " + result.at("within").get<std::string>();
  const bool alone = result.at("bounds").at("clients") == 1;
  if (concerns(name, Concerns::data)) {
    out.judgement = Judgement::not_applicable;
    out.reason = "simulated clients write to no resource";
  } else if (!result.at("complete").get<bool>()) {
    out.judgement = Judgement::undecided;
    out.reason = "the search was cut off " + out.reason;
  } else if (result.at("grants").get<std::uint64_t>() == 0) {
    out.judgement = Judgement::not_exercised;
    out.reason = "nobody was ever granted the lock " + out.reason;
  } else if (alone && concerns(name, Concerns::holders)) {
    out.judgement = Judgement::not_exercised;
    out.reason = "one client meets nobody; " + out.reason;
  }
  return out;
}

TrialVerdict trial_of(const nlohmann::json& result) {
  TrialVerdict out;
  result.at("lock").get_to(out.lock);
  out.scenario = kExplored;
  out.clients = result.at("bounds").at("clients");
  const LockType& type = *find_entry(locks(), parse_lock_ref(out.lock).lock);
  out.model = type.fenced ? "fenced" : "owner";
  for (const auto& name : type.promises()) out.properties.push_back(unviolated_property(name, result));
  for (const auto& violation : result.at("violations")) {
    PropertyVerdict& place = property_found(violation, out);
    const bool stands = place.judgement == Judgement::violated;  // by another find of the same property
    if (!violation.at("counts").get<bool>() && violation.at("severe").get<bool>()) {
      if (stands) continue;
      place.judgement = Judgement::undecided;
      place.reason = "a schedule went otherwise with statements that really wait";
      continue;
    }
    add_violation(witness_of(violation), place);
  }
  for (const auto& known : result.at("passed_over")) {
    if (known.at("seen").get<bool>()) add_violation(known_witness(known), property_found(known, out));
  }
  const std::string verdict = result.at("verdict");
  out.judgement = verdict == "violated" || verdict == "known" ? Judgement::violated
                  : verdict == "holds"                        ? Judgement::holds
                                                              : Judgement::undecided;
  return out;
}

Cell cell_of(const nlohmann::json& result) {
  Cell cell;
  result.at("lock").get_to(cell.lock);
  cell.scenario = kExplored;
  cell.why = searched_text(result);
  TrialResult trial;
  trial.folder = "cells/" + cell.lock + "/" + kExplored + "/1";
  trial.verdict = trial_of(result);
  trial.seconds = result.at("seconds");
  const Judgement judgement = trial.verdict.judgement;
  const bool known = result.at("verdict") == "known";
  for (const auto& one : result.at("passed_over")) {
    if (known && one.at("seen").get<bool>()) cell.expected[property_of(one.at("invariant"))] = "violated";
  }
  trial.outcome = known                              ? Outcome::caught
                  : judgement == Judgement::violated ? Outcome::unexpected
                  : judgement == Judgement::holds    ? Outcome::as_expected
                                                     : Outcome::undecided;
  cell.outcome = trial.outcome;
  cell.trials_as_expected = trial.outcome == Outcome::as_expected || known ? 1 : 0;
  cell.trials.push_back(std::move(trial));
  return cell;
}

}  // namespace

std::string searched_text(const nlohmann::json& result) {
  const auto schedules = static_cast<std::int64_t>(result.at("schedules").get<std::uint64_t>());
  return fmt::format("{} {}, within {}. Not explored: {}",
                     plural(schedules, "schedule was run,", "schedules were run,"),
                     result.at("complete").get<bool>() ? "all" : "not all", result.at("within").get<std::string>(),
                     not_explored_text(result));
}

std::string not_explored_text(const nlohmann::json& result) {
  std::string out;
  for (const auto& piece : result.at("not_explored")) out += (out.empty() ? "" : "; ") + piece.get<std::string>();
  return out;
}

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
  const int number = violation.at("number");
  return folder + "/" + result.at("lock").get<std::string>() + "." + violation.at("invariant").get<std::string>() +
         (number > 1 ? "." + std::to_string(number) : "") + ".replay";
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
      if (const std::string cause = violation.at("cause"); !cause.empty()) replay.about += "; cause: " + cause;
      write_text_file(replay_path(folder, result, violation), to_text(replay));
      const auto exported = scenario_of(result, violation);
      if (!exported.scenario.empty()) write_text_file(scenario_path(folder, result, violation), exported.scenario);
    }
  }
}

}  // namespace holdfast
