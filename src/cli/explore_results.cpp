#include "cli/explore_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/schedule_word.hpp"
#include "cli/output.hpp"
#include "explore/explorer.hpp"
#include "explore/replay_file.hpp"
#include "explore/trace.hpp"
#include "lock/lock.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kBeyondStalls_ms = 500;
constexpr std::int64_t kStatement_ms = 400;  // duration of a waiting statement; most take a few ms
constexpr std::int64_t kAround_ms = 2000;    // margin for the load

// Schedule words for real processes, and the necessary initial state.
struct RealWords {
  std::vector<Word> words;
  std::vector<Json> faults;
  std::int64_t length_ms = kAround_ms;
  std::string why_not;
};

Json skew(const Word& word, const ExploreSettings& settings) {
  const std::int64_t apart_ms = settings.lease_ms + 1000;
  return {{"fault", "client_skew"},
          {"target", "client:" + std::to_string(word.actor / 2)},
          {"at", {{"time_ms", 0}}},
          {"step_ms", word.kind == WordKind::ahead ? apart_ms : -apart_ms}};
}

// Reads the trace. A letter without a statement is a client that reads an answer or checks something, which real
// clients do by themselves immediately; only if its statement had to wait is the reading a letter of its own. What a
// client does once at its start, real clients have done before a schedule begins.
class WordReader {
 public:
  explicit WordReader(const ExploreSettings& settings) : settings_(settings) {}
  RealWords read(const Trace& steps) {
    for (const auto& step : steps) {
      if (step.word.empty()) continue;  // a consequence of the previous step
      add(step, parse_words(step.word).front());
      if (!out_.why_not.empty()) break;
    }
    return out_;
  }

 private:
  void add(const TraceStep& step, const Word& word);
  bool is_in_flight(const TraceStep& step, const Word& word);
  static const char* impossible(WordKind kind);

  const ExploreSettings& settings_;
  RealWords out_;
  std::set<int> waiting_;
  std::set<int> begun_;                    // actors that have begun an operation
  std::map<int, std::size_t> times_then_;  // by sender of a statement: passed times when it was answered
  std::size_t times_ = 0;
};

const char* WordReader::impossible(WordKind kind) {
  if (kind == WordKind::late || kind == WordKind::arrives) return "a statement must arrive late, at one exact step";
  return kind == WordKind::victim ? "the server, not the schedule, chooses the victim of a deadlock" : "";
}

// Returns true if a client needs a turn for the step.
bool WordReader::is_in_flight(const TraceStep& step, const Word& word) {
  if (step.answer == kLooks) {
    if (times_then_[word.actor] != times_)
      out_.why_not = "a client looks at its clock long after an answer; real clients look at once";
    return false;
  }
  if (step.statement.empty()) return waiting_.erase(word.actor) != 0;
  times_then_[word.actor] = times_;
  if (!step.doing.empty()) begun_.insert(word.actor);
  if (begun_.count(word.actor) != 0) return true;
  if (!begun_.empty()) out_.why_not = "a client starts in the middle of the schedule; real clients start before it";
  return false;
}

void WordReader::add(const TraceStep& step, const Word& word) {
  out_.why_not = word.actor % 2 == 1 ? "a watchdog cannot be made to wait for its turn" : impossible(word.kind);
  if (!out_.why_not.empty()) return;
  if (word.kind == WordKind::ahead || word.kind == WordKind::behind) {
    if (!out_.words.empty()) out_.why_not = "a client's clock is set in the middle of the schedule";
    out_.faults.push_back(skew(word, settings_));
    return;
  }
  if (word.kind == WordKind::time) {
    // For example the last microsecond of a lease, which no real process can hit.
    if (word.time_us % kMillisecond_us != 0) out_.why_not = "a step falls between two milliseconds";
    ++times_;
    out_.length_ms += word.time_us / 1000;
  } else if ((word.kind == WordKind::step || word.kind == WordKind::lost) && !is_in_flight(step, word)) {
    return;
  }
  if (step.answer == kWaitsForLock || step.answer == kWaitsForOwnLock) waiting_.insert(word.actor);
  out_.words.push_back(word);
  out_.length_ms += kStatement_ms;
}

// A holder renews only if it holds for longer than a third of its lease, and a holder that never releases would have
// left before the schedule returns to it.
std::int64_t hold_of(const ExploreSettings& settings, std::int64_t length_ms) {
  const LockType& type = *find_entry(locks(), parse_lock_ref(settings.lock).lock);
  if (!type.releases) return length_ms;
  return type.renews ? settings.lease_ms / 2 : 0;
}

// Expects only the schedule's own property to fail: the load continues after it, and a flawed lock may violate others.
Json expected(const std::string& lock, const std::string& property) {
  Json out = Json::object();
  const LockType& type = *find_entry(locks(), parse_lock_ref(lock).lock);
  for (const auto& promised : type.promises()) out[promised] = "not_judged";
  out[property] = "violated";
  return out;
}

// Makes the lease be over, and both hold, for longer than stalls of a busy machine: a measured stall excuses a shorter
// overrun.
void outlast_stalls(RealWords& real) {
  const auto is_time = [](const Word& word) { return word.kind == WordKind::time; };
  const auto last = std::find_if(real.words.rbegin(), real.words.rend(), is_time);
  if (last != real.words.rend()) last->time_us += kBeyondStalls_ms * kMillisecond_us;
  real.words.push_back({WordKind::time, 0, kBeyondStalls_ms * kMillisecond_us});
  real.length_ms += 2 * kBeyondStalls_ms;
}

Witness witness_of(const ExploreFind& find) {
  Witness out;
  out.key = "orders";
  out.kind = kind_of_find(find);
  out.text = find.text + "; schedule: " + find.replay;
  return out;
}

Witness known_witness(const PassedOver& known) {
  Witness out;
  out.key = "orders";
  out.kind = "algorithm";
  out.text = known.invariant + ", already known: " + known.cause + " (" + known.name + ")";
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

PropertyVerdict& property_found(const std::string& invariant, TrialVerdict& verdict) {
  const std::string name = property_of(invariant);
  for (auto& property : verdict.properties) {
    if (property.property == name) return property;
  }
  verdict.properties.emplace_back().property = name;
  return verdict.properties.back();
}

// A property without any violation found.
PropertyVerdict unviolated_property(const std::string& name, const ExploreResult& result) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = Judgement::holds;
  out.reason = "within " + result.within;
  const bool alone = result.bounds.clients == 1;
  if (concerns(name, Concerns::author)) {
    out.judgement = Judgement::not_applicable;
    out.reason = "explore does not judge assertions";
  } else if (concerns(name, Concerns::data)) {
    out.judgement = Judgement::not_applicable;
    out.reason = "simulated clients write to no resource";
  } else if (!result.complete) {
    out.judgement = Judgement::undecided;
    out.reason = "the search did not finish " + out.reason;
  } else if (result.grants == 0) {
    out.judgement = Judgement::not_exercised;
    out.reason = "no client was ever granted the lock " + out.reason;
  } else if (alone && concerns(name, Concerns::holders)) {
    out.judgement = Judgement::not_exercised;
    out.reason = "a single client has no contention; " + out.reason;
  }
  return out;
}

TrialVerdict trial_of(const ExploreResult& result) {
  TrialVerdict out;
  out.lock = result.lock;
  out.scenario = kExplored;
  out.clients = result.bounds.clients;
  const LockType& type = *find_entry(locks(), parse_lock_ref(out.lock).lock);
  out.model = type.fenced ? "fenced" : "owner";
  for (const auto& name : type.promises()) out.properties.push_back(unviolated_property(name, result));
  for (const auto& find : result.violations) {
    PropertyVerdict& place = property_found(find.invariant, out);
    const bool stands = place.judgement == Judgement::violated;  // by another find for the same property
    if (!find.counts && find.severe) {
      if (stands) continue;
      place.judgement = Judgement::undecided;
      place.reason = "a schedule had a different result with statements that really wait";
      continue;
    }
    add_violation(witness_of(find), place);
  }
  for (const auto& known : result.passed_over) {
    if (known.seen) add_violation(known_witness(known), property_found(known.invariant, out));
  }
  out.judgement = result.verdict == "violated" || result.verdict == "known" ? Judgement::violated
                  : result.verdict == "holds"                               ? Judgement::holds
                                                                            : Judgement::undecided;
  return out;
}

Cell cell_of(const ExploreResult& result) {
  Cell cell;
  cell.lock = result.lock;
  cell.scenario = kExplored;
  cell.why = searched_text(result);
  TrialResult trial;
  trial.folder = "cells/" + cell.lock + "/" + kExplored + "/1";
  trial.verdict = trial_of(result);
  trial.seconds = result.seconds;
  const Judgement judgement = trial.verdict.judgement;
  const bool known = result.verdict == "known";
  for (const auto& one : result.passed_over) {
    if (known && one.seen) cell.expected[property_of(one.invariant)] = "violated";
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

std::string property_of(const std::string& invariant) {
  for (const auto& [name, words] : property_words()) {
    const std::string all = " " + std::string(words->invariants) + " ";
    if (all.find(" " + invariant + " ") != std::string::npos) return name;
  }
  return invariant;
}

ExportedSchedule scenario_of(const ExploreResult& result, const ExploreFind& find) {
  const ExploreSettings& settings = result.settings;
  const std::string& invariant = find.invariant;
  const std::string property = property_of(invariant);
  if (property == invariant) return {"", "no property of a history corresponds to this invariant"};
  const LockType& type = *find_entry(locks(), parse_lock_ref(settings.lock).lock);
  if (type.manifest != nullptr) return {"", "an adapter cannot be made to wait for its turn at a request"};
  if (type.renews_in_background) return {"", "its watchdogs would renew by themselves"};
  if (invariant == "unexpected_error")
    return {"", "a trial counts errors as a violation only if every attempt ends with one"};
  if (type.several_servers && invariant == "foreign_release") {
    return {"",
            "a late request frees the key at only one of several servers, but a history records the release as a "
            "whole"};
  }
  RealWords real = WordReader(settings).read(find.steps);
  if (!real.why_not.empty()) return {"", real.why_not};
  if (kind_of_find(find) == "overrun") outlast_stalls(real);
  real.faults.push_back(
      {{"fault", "schedule"}, {"target", "everyone"}, {"at", {{"time_ms", 0}}}, {"words", to_text(real.words)}});
  Json out;
  out["about"] = "schedule found by explore: " + invariant + ", " + find.text;
  out["locks"] = {settings.lock};
  if (type.several_servers) out["topology"] = topology_for(type);
  out["clients"] = settings.clients;
  out["lease_ms"] = settings.lease_ms;
  const std::int64_t hold_ms = hold_of(settings, real.length_ms);
  out["hold_ms"] = {hold_ms, hold_ms};
  out["pause_ms"] = {0, 0};
  if (settings.shared_address) out["shared_addresses"] = settings.clients;
  if (settings.server_id == "one") out["server_id"] = "one";
  if (settings.value != "bare") out["value"] = settings.value;
  if (settings.reenter) out["reenter"] = true;
  out["align_ms"] = settings.fraction_ms;
  out["duration_ms"] = real.length_ms;
  out["coverage"] = {{"grants", 1}, {"attempts_in_hold", 0}};
  out["faults"] = real.faults;
  out["expect"][settings.lock] = expected(settings.lock, property);
  out["why"][settings.lock] = find.text;
  return {text_of_json(out, 2) + "\n", ""};
}

std::string kind_of_find(const ExploreFind& find) {
  if (find.invariant == "two_naive_holders") return "overrun";
  const auto has = [&find](const char* word) { return find.replay.find(word) != std::string::npos; };
  if (has("!ahead") || has("!behind")) return "client_skew";
  if (has("!cut")) return "session_lost";
  if (find_kind(find.invariant) != nullptr) return find.invariant;  // it says more than the fault of its schedule
  return has("!lost") || has("!late") ? "reply_lost" : "algorithm";
}

std::string searched_text(const ExploreResult& result) {
  const auto schedules = static_cast<std::int64_t>(result.schedules);
  return fmt::format("{} schedules were run ({}) within these bounds: {}. Not explored: {}",
                     result.complete ? "all" : "not all", count_text(schedules), result.within,
                     not_explored_text(result));
}

std::string not_explored_text(const ExploreResult& result) {
  std::string out;
  for (const auto& piece : result.not_explored) out += (out.empty() ? "" : "; ") + piece;
  return out;
}

RunVerdict explored_verdict(const std::vector<ExploreResult>& results) {
  RunVerdict out;
  out.suite = kExplored;
  out.scenarios = {kExplored};
  for (const auto& result : results) {
    out.cells.push_back(cell_of(result));
    out.locks.push_back(out.cells.back().lock);
    out.seconds += result.seconds;
  }
  return out;
}

int code_of_results(const std::vector<ExploreResult>& results) {
  int code = kExitAsExpected;
  for (const auto& result : results) {
    if (result.verdict == "violated") return kExitNotAsExpected;
    if (result.verdict == "undecided") code = kExitUndecided;
  }
  return code;
}

void write_explored(RunVerdict& verdict, const std::string& folder) {
  for (const auto& cell : verdict.cells) {
    if (cell.trials.empty()) continue;
    const TrialResult& trial = cell.trials.front();
    const RunDirectory run(folder);
    run.make_folders(trial.folder);
    run.write(trial.folder + "/verdict.json", text_of_json(to_json(trial.verdict), 1) + "\n");
  }
  write_results(verdict, folder);
}

std::string replay_path(const std::string& folder, const ExploreResult& result, const ExploreFind& find) {
  const std::string number = find.number > 1 ? "." + std::to_string(find.number) : "";
  return folder + "/" + result.lock + "." + find.invariant + number + ".replay";
}

std::string scenario_path(const std::string& folder, const ExploreResult& result, const ExploreFind& find) {
  const std::string replay = replay_path(folder, result, find);
  return replay.substr(0, replay.rfind('.')) + ".json";
}

void write_replays(const std::string& folder, const std::vector<ExploreResult>& results) {
  for (const auto& result : results) {
    for (const auto& find : result.violations) {
      ReplayFile replay{result.settings, parse_words(find.replay), find.invariant + ": " + find.text};
      if (!find.cause.empty()) replay.about += "; cause: " + find.cause;
      write_text_file(replay_path(folder, result, find), to_text(replay));
      const auto exported = scenario_of(result, find);
      if (!exported.scenario.empty()) write_text_file(scenario_path(folder, result, find), exported.scenario);
    }
  }
}

const JsonForm<SearchAsked>& SearchAsked::form() {
  static const JsonForm<SearchAsked> kForm{
      "asked",
      "",
      {field("within", &SearchAsked::within), digits_field("seed", &SearchAsked::seed),
       field("parts", &SearchAsked::jobs)}};
  return kForm;
}

}  // namespace holdfast
