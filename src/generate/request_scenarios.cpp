#include "generate/request_scenarios.hpp"

#include <algorithm>

#include "adapter/manifest.hpp"
#include "generate/fault_scenarios.hpp"
#include "generate/strike.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kReturned_ms = 5000;  // time for a stopped client to retry repeatedly
constexpr std::int64_t kGivesUp_ms = 150;    // until an acquire is cancelled
constexpr std::int64_t kMostWakeups = 3;     // requests after which a waiter is stopped

class RequestScenarios : public StrikeScenarios {
 public:
  using StrikeScenarios::StrikeScenarios;

  void add_all() {
    at_requests();
    returns_late();
  }

 private:
  void at_requests() {
    if (!counts_requests(type_)) {
      return leave_out("faults at requests",
                       std::string("requests to ") + server_type(type_.server).title + " cannot be distinguished");
    }
    for (const Situation situation :
         {Situation::released, Situation::granted, Situation::renewed, Situation::refused}) {
      if (!sends(situation)) continue;
      end_unanswered("reply_lost", situation, "after",
                     "a request is executed, but its reply and the connection are lost");
      end_unanswered("request_lost", situation, "before", "a request is never forwarded, and the connection is lost");
      stop_between_requests(situation);
    }
    stop_waiters();
    cancel_in_transit();
    for (const char* operation : {"release", "acquire", "renew"}) spoil_requests(operation);
    if (!requests_repeat()) leave_out("requests that arrive twice", why_not_repeated());
  }

  // Renewals of a watchdog are sent while no operation is open.
  bool sends(Situation situation) const {
    if (situation == Situation::released) return type_.releases;
    return situation != Situation::renewed || type_.renews || type_.renews_in_background;
  }

  // A fault in an acquire strikes while its key is free (or, for refusals, held): a refused attempt tests no grant.
  nlohmann::json at_request(Situation situation, std::int64_t request, const char* when, int nth) const {
    const bool by_watchdog = situation == Situation::renewed && !type_.renews;
    nlohmann::json at{{"request", request},
                      {"of", by_watchdog ? "background" : kOperations[situation]},
                      {"when", when},
                      {"nth", type_.releases ? nth : 1}};
    if (situation == Situation::granted) at["key"] = "free";
    if (situation == Situation::refused) at["key"] = "held";
    return at;
  }

  // "acquire", or "refused_acquire": an attempt that is refused, or waits, has its own requests.
  static std::string name_of(Situation situation) {
    return situation == Situation::refused ? "refused_acquire" : kOperations[situation];
  }

  // Several strikes on different attempts: after a fault another client may be faster.
  void end_unanswered(const std::string& fault, Situation situation, const char* when, const std::string& about) {
    const std::string name = name_of(situation);
    Strike first{fault + "_" + name + "_request", about + ": the first request of its " + words_of(situation), {}};
    first.of_grants = situation == Situation::granted;
    const std::vector<int> some = first.of_grants ? kGrants : std::vector<int>{2, 5, 8};
    for (const int nth : type_.releases ? some : std::vector<int>{1}) {
      first.faults.push_back({{"fault", fault}, {"at", at_request(situation, 1, when, nth)}});
    }
    add(first, situation);
    Strike later{
        fault + "_later_requests_of_" + name, about + ": the later requests of its " + words_of(situation), {}};
    later.of_grants = first.of_grants;
    for (std::int64_t request = 2; request <= struck_requests(situation); ++request) {
      for (const int nth : type_.releases ? std::vector<int>{1, 3} : std::vector<int>{1}) {
        later.faults.push_back({{"fault", fault}, {"at", at_request(situation, request, when, nth)}});
      }
    }
    if (!later.faults.empty()) add(later, situation);
  }

  // While its key is held, a waiting attempt sends all the requests it sends before the grant.
  std::int64_t struck_requests(Situation situation) const {
    std::int64_t seen = facts_.requests_of(situation);
    if (situation == Situation::refused && type_.waits) seen = std::max(seen, facts_.requests_of(Situation::granted));
    return std::min(seen, kMostStruckRequests);
  }

  static std::string words_of(Situation situation) {
    return situation == Situation::refused ? "acquire, which is refused or waits" : kOperations[situation];
  }

  // A lock without a lease belongs to a session, which may take it twice.
  bool requests_repeat() const { return type_.lease && server_type(type_.server).requests_repeat; }
  std::string why_not_repeated() const {
    const ServerType& server = server_type(type_.server);
    if (!server.requests_repeat) return std::string("each request to ") + server.title + " has its own stream";
    return "the lock has no lease, so it belongs to a session, and nothing repeats a request within a session";
  }

  // A request arrives twice, or late.
  void spoil_requests(const std::string& operation) {
    const Situation situation = operation == "renew"     ? Situation::renewed
                                : operation == "release" ? Situation::released
                                                         : Situation::granted;
    if (!sends(situation)) return;
    const std::string where = ": the first request of its " + operation;
    const bool answers_late = operation != "release";  // the lease may be over by then
    const nlohmann::json kept = at_request(situation, 1, "before", 3);
    // A late acquire is granted if the key is free; a late release or renewal meets the next holder.
    const char* arrives = operation == "acquire" ? "free" : "held";
    if (requests_repeat()) {
      Strike twice{
          "duplicate_" + operation + "_request", "a request is sent twice, as by a proxy that retries" + where, {}};
      for (const int nth : type_.releases ? std::vector<int>{2, 5, 8} : std::vector<int>{1}) {
        twice.faults.push_back({{"fault", "duplicate"}, {"at", at_request(situation, 1, "before", nth)}});
      }
      add(twice, situation);
    }
    add({"hold_" + operation + "_request",
         "a request is delayed past the lease and arrives late" + where,
         {{"fault", "hold_request"}, {"at", kept}, {"for_ms", beyond_ms()}, {"arrives", arrives}},
         answers_late ? Outlives::yes : Outlives::no},
        situation);
  }

  // An operation with several requests: its client is stopped, cut off or killed between two of them.
  void stop_between_requests(Situation situation) {
    const bool grants = situation == Situation::granted;
    const std::string name = name_of(situation);
    const std::string where = " between two requests of its " + words_of(situation);
    const std::int64_t last = struck_requests(situation) - 1;
    const auto strike = [&](const std::string& called, const std::string& about, nlohmann::json fault,
                            Outlives outlives) {
      Strike between{called, about + where, {}, outlives};
      int nth = 2;
      for (std::int64_t request = 1; request <= last; ++request, ++nth) {
        fault["at"] = at_request(situation, request, "after", nth);
        between.faults.push_back(fault);
      }
      if (!between.faults.empty()) add(between, situation);
    };
    if (grants) stop_acquires();
    strike("kill_between_requests_of_" + name, "killed", {{"fault", "kill"}, {"for_ms", 500}}, Outlives::no);
    strike("pause_between_requests_of_" + name, "stopped past its lease", {{"fault", "pause"}, {"for_ms", beyond_ms()}},
           Outlives::yes);
    strike("cut_between_requests_of_" + name, "cut off for longer than its lease",
           {{"fault", "partition"}, {"for_ms", beyond_ms()}, {"lose", "both"}}, Outlives::yes);
  }

  // The client learns of the grant after its lease, or never.
  void stop_acquires() {
    Strike stopped{"pause_acquire_request",
                   "stopped past its lease when the first request of its acquire was executed",
                   {},
                   Outlives::yes};
    Strike killed{"kill_acquire_request", "killed when a request of its acquire was executed", {}};
    for (const int nth : type_.releases ? std::vector<int>{2, 4} : std::vector<int>{1}) {
      stopped.faults.push_back(
          {{"fault", "pause"}, {"at", at_request(Situation::granted, 1, "after", nth)}, {"for_ms", beyond_ms()}});
      killed.faults.push_back(
          {{"fault", "kill"}, {"at", at_request(Situation::granted, 1, "after", nth)}, {"for_ms", 500}});
    }
    add(stopped);
    add(killed);
  }

  // Local state about a lock that a client no longer holds must not keep it out. Jobs are short and rare, so that it
  // finds the key free.
  void returns_late() {
    if (!type_.lease || !type_.releases) return;
    ScenarioDraft draft(type_, lock_, kReturnsLate, "a holder is stopped past its lease, then continues as before");
    if (type_.manifest->can_do("threads")) draft.set("threads", 2);
    draft.set("clients", 2).set("hold_ms", {50, 100}).set("pause_ms", {100, 300}).outlives(Outlives::yes);
    draft.add_fault({{"fault", "pause"},
                     {"target", "holder"},
                     {"at", {{"phase", "critical_section"}, {"nth", 2}}},
                     {"for_ms", draft.beyond_ms()}});
    out_.scenarios.push_back(draft.set("duration_ms", draft.beyond_ms() + kReturned_ms).finish());
  }

  // Stops a waiter between its refusal and its subscription to the wake-up: the key is released meanwhile, and no other
  // client requests it soon. Enough of its wait is left to show that it sleeps beside the free key.
  void stop_waiters() {
    if (!type_.waits || !type_.releases) return;
    const std::int64_t last = std::min(struck_requests(Situation::refused), kMostWakeups);
    for (std::int64_t request = 1; request <= last; ++request) {
      nlohmann::json at = at_request(Situation::refused, request, "after", 1);
      ScenarioDraft draft(type_, lock_, kWakesUp + std::to_string(request),
                          "a waiter is stopped when request " + std::to_string(request) +
                              " of its acquire has been answered, while the key is released");
      draft.set("clients", kFewestClients).set("hold_ms", {300, 350}).set("pause_ms", {5000, 6000});
      draft.set("progress_bound_ms", 300).moment_only();
      draft.add_fault({{"fault", "pause"}, {"at", at}, {"for_ms", 500}});
      out_.scenarios.push_back(draft.set("duration_ms", 8000).finish());
    }
  }

  // A client gives up while the request that will be granted is on its way: no client may be left with the lock.
  void cancel_in_transit() {
    if (!type_.waits || !type_.releases || !type_.manifest->can_do("cancel")) return;
    ScenarioDraft draft(type_, lock_, kCancelledInTransit,
                        "a client cancels an acquire while its request is in transit; the request is granted later");
    draft.set("cancel_after_ms", kGivesUp_ms).set("hold_ms", {20, 60}).set("pause_ms", {100, 300}).moment_only();
    for (const int nth : {2, 5, 8}) {
      draft.add_fault({{"fault", "hold_request"},
                       {"at", at_request(Situation::granted, 1, "before", nth)},
                       {"for_ms", 2 * kGivesUp_ms},
                       {"arrives", "free"}});
    }
    out_.scenarios.push_back(draft.set("duration_ms", 5000).finish());
  }
};

}  // namespace

bool counts_requests(const LockType& type) {
  return type.manifest != nullptr && *server_type(type.server).protocol != '\0';
}

void add_request_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out) {
  RequestScenarios(type, lock, facts, out).add_all();
}

}  // namespace holdfast
