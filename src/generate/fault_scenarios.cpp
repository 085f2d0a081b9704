#include "generate/fault_scenarios.hpp"

#include <algorithm>
#include <utility>

#include "adapter/manifest.hpp"
#include "artifact/enumeration.hpp"
#include "generate/request_scenarios.hpp"
#include "generate/scenario_draft.hpp"
#include "generate/statement_points.hpp"
#include "generate/strike.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

// Uses the nth match, so that the load is running; a lock without release may have few.
nlohmann::json moment(const LockType& type, const StatementPoint& point, bool after) {
  nlohmann::json at{{"statement", point.statement},
                    {"when", after ? "after" : "before"},
                    {"of", kOperations[point.situation]},
                    {"nth", type.releases ? 2 : 1}};
  if (point.situation == Situation::granted) at["key"] = "free";
  if (point.situation == Situation::refused) at["key"] = "held";
  return at;
}

class FaultScenarios : public StrikeScenarios {
 public:
  using StrikeScenarios::StrikeScenarios;

  void add_all() {
    in_critical_section();
    at_server();
    if (type_.manifest != nullptr) {
      add_request_scenarios(type_, lock_, facts_, out_);
      return at_phases();
    }
    for (const Situation situation :
         {Situation::released, Situation::granted, Situation::renewed, Situation::refused}) {
      const auto points = statement_points(facts_, situation);
      if (points.empty()) nothing_seen(situation);
      for (const auto& point : points) pause(point);
      for (const auto& point : points) lose_reply(point);
      for (const auto& point : points) kill(point);
      for (const auto& point : points) cut(point);
    }
  }

 private:
  static std::string name_of(const std::string& fault, const StatementPoint& point, bool after) {
    return fault + "_" + to_text(point.situation) + "_" + (after ? "after_" : "before_") + point.statement;
  }

  static std::string words(const StatementPoint& point, bool after) {
    return std::string(to_text(point.situation)) + ": " + (after ? "after " : "before ") + point.statement;
  }

  void nothing_seen(Situation situation) {
    if (situation == Situation::renewed && !type_.renews && !type_.renews_in_background) return;
    if (situation == Situation::released && !type_.releases) return;
    leave_out(std::string("faults when ") + to_text(situation),
              "no attempt was seen to be " + std::string(to_text(situation)));
  }

  void in_critical_section() {
    const nlohmann::json at{{"phase", "critical_section"}, {"nth", type_.releases ? 2 : 1}};
    add({"pause_critical_section",
         "the holder is stopped just before it writes, past its lease",
         {{"fault", "pause"}, {"target", "holder"}, {"at", at}, {"for_ms", beyond_ms()}},
         Outlives::yes});
    add({"kill_critical_section",
         "the holder is killed",
         {{"fault", "kill"}, {"target", "holder"}, {"at", at}, {"for_ms", 500}}});
  }

  // Operator actions, and full servers: the server keeps running. Its other faults have suites of their own.
  void at_server() {
    const ServerType& server = server_type(type_.server);
    const nlohmann::json at{{"phase", "granted"}, {"nth", type_.releases ? 2 : 1}};
    if (type_.several_servers) return;
    if (server.refuses_writes) {
      add({kWritesRefused,
           "for longer than a lease, the server answers reads but refuses writes with an error",
           {{"fault", "server_read_only"}, {"target", "server"}, {"at", at}, {"for_ms", beyond_ms()}},
           Outlives::yes});
    }
    if (!server.drops_entries) return;
    ScenarioDraft draft(type_, lock_, "entries_dropped",
                        "the server's entries are dropped while a client holds the lock");
    draft.set("clients", kFewClients).set("hold_ms", kLongJob_ms).moment_only().server_forgets();
    draft.add_fault({{"fault", "server_flush"}, {"target", "server"}, {"at", at}});
    out_.scenarios.push_back(draft.finish());
  }

  // Also uses points where the client's phase is known.
  void at_phases() {
    const nlohmann::json granted{{"phase", "granted"}, {"nth", type_.releases ? 2 : 1}};
    const nlohmann::json asks{{"phase", "before_acquire"}, {"nth", 2}, {"key", "free"}};
    const auto stopped = [this](const char* name, const char* when, const nlohmann::json& at, Outlives outlives) {
      const nlohmann::json fault{{"fault", "pause"}, {"at", at}, {"for_ms", beyond_ms()}};
      add({name, std::string("stopped past its lease ") + when, fault, outlives});
    };
    const auto cut_off = [this](const char* name, const char* when, const nlohmann::json& at, const char* lose,
                                Outlives outlives) {
      const nlohmann::json fault{{"fault", "partition"}, {"at", at}, {"for_ms", beyond_ms()}, {"lose", lose}};
      add({name, std::string("cut off (") + lose + ") for longer than its lease " + when, fault, outlives});
    };
    stopped("pause_granted", "just after a grant", granted, Outlives::yes);
    cut_off("cut_granted", "just after a grant", granted, "both", Outlives::yes);
    cut_off("cut_replies_acquire", "before it asks for the lock", asks, "replies", Outlives::no);
    if (!type_.releases) return;
    const nlohmann::json frees{{"phase", "before_release"}, {"nth", 2}};
    stopped("pause_release", "before its release", frees, Outlives::yes);
    cut_off("cut_release", "before its release", frees, "both", Outlives::no);
    cut_off("cut_replies_release", "before its release", frees, "replies", Outlives::no);
  }

  // After a refused attempt, a renewal or a release nothing follows: the client is stopped at an arbitrary point of its
  // work.
  void pause(const StatementPoint& point) {
    const std::string name = name_of("pause", point, point.after);
    if (point.last && point.situation != Situation::granted) {
      return not_needed(
          name,
          "the attempt has ended: the same as a pause in the critical section, or while no client holds the lock");
    }
    add({name,
         "stopped past its lease when " + words(point, point.after),
         {{"fault", "pause"}, {"at", moment(type_, point, point.after)}, {"for_ms", beyond_ms()}},
         until_looked()},
        point.situation);
  }

  // Strikes several grants, since another client may be faster, and the struck acquire refused.
  void lose_reply(const StatementPoint& point) {
    if (!point.after) return;
    Strike strike(name_of("reply_lost", point, true),
                  "the statement is executed, but its reply and the connection are lost, when " + words(point, true),
                  {});
    nlohmann::json at = moment(type_, point, true);
    strike.of_grants = point.situation == Situation::granted;
    const bool several = strike.of_grants && type_.releases;
    for (const int nth : several ? kGrants : std::vector<int>{at.at("nth").get<int>()}) {
      at["nth"] = nth;
      strike.faults.push_back({{"fault", "reply_lost"}, {"at", at}});
    }
    add(strike, point.situation);
  }

  void kill(const StatementPoint& point) {
    const std::string name = name_of("kill", point, point.after);
    const bool sent = point.after || point.situation == Situation::released;
    if (!sent) return not_needed(name, "nothing has been sent yet: the same as a kill between two attempts");
    if (point.last && point.situation != Situation::granted) {
      return not_needed(
          name, "the attempt has ended: the same as a kill in the critical section, or while no client holds the lock");
    }
    if (!point.after) return not_needed(name, "it is the same as kill_critical_section: nothing is sent in between");
    add({name,
         "killed when " + words(point, point.after),
         {{"fault", "kill"}, {"at", moment(type_, point, point.after)}, {"for_ms", 500}}},
        point.situation);
  }

  // Both directions: the next message may arrive when the network is back. Replies only: the statement is executed, but
  // no reply arrives.
  void cut(const StatementPoint& point) {
    const std::string both = name_of("cut", point, point.after);
    if (point.last && point.situation != Situation::granted) {
      not_needed(both, "the attempt has ended: the same as a cut while a client holds the lock, or while none does");
    } else {
      add_cut(both, point, point.after, "both");
    }
    if (point.after) add_cut(name_of("cut_replies", point, false), point, false, "replies");
  }

  void add_cut(const std::string& name, const StatementPoint& point, bool after, const char* lose) {
    add({name,
         "cut off (" + std::string(lose) + ") for longer than its lease when " + words(point, after),
         {{"fault", "partition"}, {"at", moment(type_, point, after)}, {"for_ms", beyond_ms()}, {"lose", lose}},
         until_looked()},
        point.situation);
  }
};

}  // namespace

void add_fault_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out) {
  FaultScenarios(type, lock, facts, out).add_all();
}

}  // namespace holdfast
