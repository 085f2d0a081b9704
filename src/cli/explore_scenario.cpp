#include "cli/explore_scenario.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "artifact/property_words.hpp"
#include "artifact/schedule_word.hpp"
#include "explore/explorer.hpp"
#include "explore/trace.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kStatement_ms = 400;  // that waits; most take a few
constexpr std::int64_t kAround_ms = 2000;    // the load goes on for a while

// The words that real processes can be made to follow, and what has to be so from the beginning.
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

// Reads the trace. A letter without a statement is a client that hears or looks, which real ones do by themselves and
// at once; only where its statement had to wait is the hearing a letter of its own. What a client does once at its
// start real ones have done before a schedule begins.
class WordReader {
 public:
  explicit WordReader(const ExploreSettings& settings) : settings_(settings) {}
  RealWords read(const nlohmann::json& steps) {
    for (const auto& step : steps) {
      if (step.at("word").get<std::string>().empty()) continue;  // a consequence of the one before
      add(step, parse_words(step.at("word")).front());
      if (!out_.why_not.empty()) break;
    }
    return out_;
  }

 private:
  void add(const nlohmann::json& step, const Word& word);
  bool is_in_flight(const nlohmann::json& step, const Word& word);
  static const char* impossible(WordKind kind);

  const ExploreSettings& settings_;
  RealWords out_;
  std::set<int> waiting_;
  std::set<int> begun_;                    // who has begun an operation
  std::map<int, std::size_t> times_then_;  // by who sent a statement: the times that had passed when it was answered
  std::size_t times_ = 0;
};

const char* WordReader::impossible(WordKind kind) {
  if (kind == WordKind::late || kind == WordKind::arrives) return "a statement arrives late, to the very step";
  return kind == WordKind::victim ? "it is the server who chooses a deadlock's victim" : "";
}

// Whether a client has to be given a turn for it.
bool WordReader::is_in_flight(const nlohmann::json& step, const Word& word) {
  if (step.at("answer") == kLooks) {
    if (times_then_[word.actor] != times_)
      out_.why_not = "a client looks at its clock long after an answer, real ones at once";
    return false;
  }
  if (step.at("statement").get<std::string>().empty()) return waiting_.erase(word.actor) != 0;
  times_then_[word.actor] = times_;
  if (!step.at("operation").get<std::string>().empty()) begun_.insert(word.actor);
  if (begun_.count(word.actor) != 0) return true;
  if (!begun_.empty()) out_.why_not = "a client starts in its midst, real ones have all started";
  return false;
}

void WordReader::add(const nlohmann::json& step, const Word& word) {
  out_.why_not = word.actor % 2 == 1 ? "a watchdog is no client that can be gated" : impossible(word.kind);
  if (!out_.why_not.empty()) return;
  if (word.kind == WordKind::ahead || word.kind == WordKind::behind) {
    if (!out_.words.empty()) out_.why_not = "a client's clock is set in its midst";
    out_.faults.push_back(skew(word, settings_));
    return;
  }
  if (word.kind == WordKind::time) {
    // Such as the last microsecond of a lease, which no real process can meet.
    if (word.time_us % kMillisecond_us != 0) out_.why_not = "a step comes at an instant between two milliseconds";
    ++times_;
    out_.length_ms += word.time_us / 1000;
  } else if ((word.kind == WordKind::step || word.kind == WordKind::lost) && !is_in_flight(step, word)) {
    return;
  }
  if (step.at("answer") == kWaitsForLock || step.at("answer") == kWaitsForOwnLock) waiting_.insert(word.actor);
  out_.words.push_back(word);
  out_.length_ms += kStatement_ms;
}

// A holder comes to its renewal only if it holds for longer than a third of its lease, and one that never releases
// would have left by the time that the schedule comes back to it.
std::int64_t hold_of(const ExploreSettings& settings, std::int64_t length_ms) {
  const LockType& type = *find_entry(locks(), parse_lock_ref(settings.lock).lock);
  if (!type.releases) return length_ms;
  return type.renews ? settings.lease_ms / 2 : 0;
}

// Only the property that the schedule is about: the load goes on after it, and a flawed lock breaks more than one.
Json expected(const std::string& lock, const std::string& property) {
  Json out = Json::object();
  const LockType& type = *find_entry(locks(), parse_lock_ref(lock).lock);
  for (const auto& promised : type.promises()) out[promised] = "not_judged";
  out[property] = "violated";
  return out;
}

}  // namespace

std::string property_of(const std::string& invariant) {
  for (const auto& [name, words] : property_words()) {
    const std::string all = " " + std::string(words->invariants) + " ";
    if (all.find(" " + invariant + " ") != std::string::npos) return name;
  }
  return invariant;
}

ExportedSchedule scenario_of(const nlohmann::json& result, const nlohmann::json& violation) {
  const ExploreSettings settings = settings_from_json(result.at("settings"));
  const std::string invariant = violation.at("invariant");
  const std::string property = property_of(invariant);
  if (property == invariant) return {"", "no property of a history is about it"};
  if (find_entry(locks(), parse_lock_ref(settings.lock).lock)->renews_in_background) {
    return {"", "its watchdogs would renew by themselves"};
  }
  RealWords real = WordReader(settings).read(violation.at("steps"));
  if (!real.why_not.empty()) return {"", real.why_not};
  real.faults.push_back(
      {{"fault", "schedule"}, {"target", "everyone"}, {"at", {{"time_ms", 0}}}, {"words", to_text(real.words)}});
  Json out;
  out["about"] = "a schedule that explore found: " + invariant + ", " + violation.at("text").get<std::string>();
  out["locks"] = {settings.lock};
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
  out["why"][settings.lock] = violation.at("text");
  return {out.dump(2) + "\n", ""};
}

}  // namespace holdfast
