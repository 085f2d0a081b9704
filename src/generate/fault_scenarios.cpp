#include "generate/fault_scenarios.hpp"

#include <algorithm>
#include <utility>

#include "adapter/manifest.hpp"
#include "artifact/enumeration.hpp"
#include "generate/scenario_draft.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr int kFewClients = 3;

// What a client does too late shows only if another holds the lock by then. So the jobs are long and the waits short.
const nlohmann::json kLongJob_ms{200, 400};
constexpr int kShortPoll_ms = 10;

// A place in an attempt: before its first statement, or after one of them.
struct Point {
  Situation situation = Situation::granted;
  std::string statement;
  bool after = false;
  bool last = false;  // after it nothing is sent any more

  bool same(const Point& other) const { return statement == other.statement && after == other.after; }
};

std::vector<Point> points_of(const LockFacts& facts, Situation situation) {
  std::vector<Point> out;
  const auto add = [&](Point point) {
    const auto known = std::find_if(out.begin(), out.end(), [&](const Point& p) { return p.same(point); });
    if (known == out.end()) return out.push_back(std::move(point));
    known->last = known->last && point.last;
  };
  for (const auto& shape : facts.of(situation)) {
    add({situation, shape.statements.front(), false, false});
    for (std::size_t i = 0; i < shape.statements.size(); ++i) {
      add({situation, shape.statements[i], true, i + 1 == shape.statements.size()});
    }
  }
  return out;
}

constexpr EnumWords<Situation> kOperations({"acquire", "acquire", "renew", "release"});

// The n-th time, so that the load is under way; of a lock that is never released there may be few.
nlohmann::json moment(const LockType& type, const Point& point, bool after) {
  nlohmann::json at{{"statement", point.statement},
                    {"when", after ? "after" : "before"},
                    {"of", kOperations[point.situation]},
                    {"nth", type.releases ? 2 : 1}};
  if (point.situation == Situation::granted) at["key"] = "free";
  if (point.situation == Situation::refused) at["key"] = "held";
  return at;
}

// What strikes, and what it means for a holder.
struct Strike {
  Strike(std::string called, std::string words, const nlohmann::json& fault, Outlives how_long = Outlives::no)
      : name(std::move(called)), about(std::move(words)), outlives(how_long) {
    if (!fault.empty()) faults.push_back(fault);
  }

  std::string name;  // of the scenario
  std::string about;
  std::vector<nlohmann::json> faults;
  Outlives outlives;
  bool of_grants = false;  // each fault is aimed at an acquire that the server grants
};

// Whose faults are aimed at grants has two clients: where more ask for a free key, most are refused. A grant whose
// answer is lost keeps the key until its lease is over, which must come before the next is struck.
constexpr int kFewestClients = 2;
constexpr std::int64_t kLongestOrphans_ms = 9000;
const std::vector<int> kGrants{2, 4, 6, 8};

constexpr std::int64_t kReturned_ms = 5000;  // for who was stopped to ask again and again
constexpr std::int64_t kMostWakeups = 3;     // requests after which a waiter is stopped

class FaultScenarios {
 public:
  FaultScenarios(const LockType& type, std::string lock, const LockFacts& facts, GeneratedSuite& out)
      : type_(type), lock_(std::move(lock)), facts_(facts), out_(out) {}

  void add_all() {
    in_critical_section();
    at_server();
    if (type_.manifest != nullptr) {
      at_requests();
      returns_late();
      return at_phases();
    }
    for (const Situation situation :
         {Situation::released, Situation::granted, Situation::renewed, Situation::refused}) {
      const auto points = points_of(facts_, situation);
      if (points.empty()) nothing_seen(situation);
      for (const auto& point : points) pause(point);
      for (const auto& point : points) lose_reply(point);
      for (const auto& point : points) kill(point);
      for (const auto& point : points) cut(point);
    }
  }

 private:
  static std::string name_of(const std::string& fault, const Point& point, bool after) {
    return fault + "_" + to_text(point.situation) + "_" + (after ? "after_" : "before_") + point.statement;
  }

  static std::string words(const Point& point, bool after) {
    return std::string(to_text(point.situation)) + ": " + (after ? "after " : "before ") + point.statement;
  }

  void leave_out(const std::string& name, const std::string& why) { out_.left_out.push_back({lock_, name, why}); }

  void nothing_seen(Situation situation) {
    if (situation == Situation::renewed && !type_.renews && !type_.renews_in_background) return;
    if (situation == Situation::released && !type_.releases) return;
    leave_out(std::string("faults when ") + to_text(situation),
              "no attempt was seen to be " + std::string(to_text(situation)));
  }

  void add(const Strike& strike, Situation situation = Situation::granted) {
    ScenarioDraft draft(type_, lock_, strike.name, strike.about);
    draft.set("clients", kFewClients).outlives(strike.outlives);
    for (const auto& fault : strike.faults) draft.add_fault(fault);
    // A moment's fault may find nobody holding; without a lease, whoever is struck keeps all others out.
    if (strike.outlives == Outlives::no || !type_.lease) draft.moment_only();
    if (strike.outlives != Outlives::no) draft.set("hold_ms", kLongJob_ms).set("poll_ms", kShortPoll_ms);
    if (strike.of_grants) {
      const std::int64_t orphans_ms = std::min(3 * draft.lease_ms(), kLongestOrphans_ms);
      draft.set("clients", kFewestClients).set("duration_ms", 1000 + orphans_ms + 1500);
    }
    if (situation == Situation::renewed) draft.set("hold_ms", {draft.lease_ms() / 2, draft.lease_ms() * 3 / 4});
    // Who leaves without a release keeps the others waiting for the rest of its lease, and nobody holds.
    const bool for_long = !type_.releases && type_.renews && strike.outlives != Outlives::no;
    if (for_long) draft.set("hold_ms", {3 * draft.lease_ms(), 4 * draft.lease_ms()});
    out_.scenarios.push_back(draft.finish());
  }

  // Anywhere but between the last look and the write, a lock that looks at its deadline sees that its lease is over.
  Outlives until_looked() const { return facts_.looks_at_deadline ? Outlives::until_it_looks : Outlives::yes; }
  std::int64_t beyond_ms() const { return ScenarioDraft(type_, lock_, "x", "").beyond_ms(); }

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

  // What operators and full servers do while the server goes on, unlike its other faults, which suites of their own
  // have.
  void at_server() {
    const ServerType& server = server_type(type_.server);
    const nlohmann::json at{{"phase", "granted"}, {"nth", type_.releases ? 2 : 1}};
    if (type_.several_servers) return;
    if (server.refuses_writes) {
      add({kWritesRefused,
           "the server refuses writes with an error, and answers reads, for longer than a lease",
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

  // What an adapter sends has no names, but is counted on its way to the server.
  void at_requests() {
    if (!counts_requests(type_)) {
      return leave_out("faults at requests",
                       std::string("requests to ") + server_type(type_.server).title + " cannot be told apart");
    }
    for (const Situation situation :
         {Situation::released, Situation::granted, Situation::renewed, Situation::refused}) {
      if (!sends(situation)) continue;
      end_unanswered("reply_lost", situation, "after", "executed, the reply and the connection are lost");
      end_unanswered("request_lost", situation, "before", "never sent on, and the connection is lost");
      stop_between_requests(situation);
    }
    stop_waiters();
    for (const char* operation : {"release", "acquire", "renew"}) spoil_requests(operation);
    if (!server_type(type_.server).requests_repeat) {
      leave_out("requests that arrive twice",
                std::string("each request to ") + server_type(type_.server).title + " has a stream of its own");
    }
  }

  // Renewals of a watchdog are sent while no operation is open.
  bool sends(Situation situation) const {
    if (situation == Situation::released) return type_.releases;
    return situation != Situation::renewed || type_.renews || type_.renews_in_background;
  }

  // A fault in an acquire strikes while its key is free, or else held: a refused attempt tests no grant.
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

  // "acquire", or "refused_acquire": an attempt that is refused, or waits, has requests of its own.
  static std::string name_of(Situation situation) {
    return situation == Situation::refused ? "refused_acquire" : kOperations[situation];
  }

  // Several in turn, of which each strikes another attempt: what fault ends by itself, another client may be faster at.
  void end_unanswered(const std::string& fault, Situation situation, const char* when, const std::string& about) {
    const std::string name = name_of(situation);
    Strike first{fault + "_" + name + "_request", about + ": the first request of its " + words_of(situation), {}};
    first.of_grants = situation == Situation::granted;
    const std::vector<int> some = first.of_grants ? kGrants : std::vector<int>{2, 5, 8};
    for (const int nth : type_.releases ? some : std::vector<int>{1}) {
      first.faults.push_back({{"fault", fault}, {"at", at_request(situation, 1, when, nth)}});
    }
    add(first, situation);
    Strike later{fault + "_later_requests_of_" + name,
                 about + ": one after another of the later requests of its " + words_of(situation),
                 {}};
    later.of_grants = first.of_grants;
    for (std::int64_t request = 2; request <= struck_requests(situation); ++request) {
      for (const int nth : type_.releases ? std::vector<int>{1, 3} : std::vector<int>{1}) {
        later.faults.push_back({{"fault", fault}, {"at", at_request(situation, request, when, nth)}});
      }
    }
    if (!later.faults.empty()) add(later, situation);
  }

  // An attempt that waits sends while its key is held what it sends until it is granted.
  std::int64_t struck_requests(Situation situation) const {
    std::int64_t seen = facts_.requests_of(situation);
    if (situation == Situation::refused && type_.waits) seen = std::max(seen, facts_.requests_of(Situation::granted));
    return std::min(seen, kMostStruckRequests);
  }

  static std::string words_of(Situation situation) {
    return situation == Situation::refused ? "acquire, which is refused or waits" : kOperations[situation];
  }

  // A request that arrives twice, or late.
  void spoil_requests(const std::string& operation) {
    const Situation situation = operation == "renew"     ? Situation::renewed
                                : operation == "release" ? Situation::released
                                                         : Situation::granted;
    if (!sends(situation)) return;
    const std::string where = ": the first request of its " + operation;
    const bool answers_late = operation != "release";  // and then the lease may be over
    const nlohmann::json kept = at_request(situation, 1, "before", 3);
    // A late acquire is granted where the key is free, and a late release or renewal meets the next holder.
    const char* arrives = operation == "acquire" ? "free" : "held";
    if (server_type(type_.server).requests_repeat) {
      Strike twice{"duplicate_" + operation + "_request", "sent twice, as by a proxy that tries again" + where, {}};
      for (const int nth : type_.releases ? std::vector<int>{2, 5, 8} : std::vector<int>{1}) {
        twice.faults.push_back({{"fault", "duplicate"}, {"at", at_request(situation, 1, "before", nth)}});
      }
      add(twice, situation);
    }
    add({"hold_" + operation + "_request",
         "kept on its way past the lease, and arrives late" + where,
         {{"fault", "hold_request"}, {"at", kept}, {"for_ms", beyond_ms()}, {"arrives", arrives}},
         answers_late ? Outlives::yes : Outlives::no},
        situation);
  }

  // An operation in steps: its client is stopped, cut off, or gone for ever, when one is done and the next is not.
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

  // Its client hears of the grant when its lease is over, or never.
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

  // What a client kept of a lock that is not its own any more must not keep it out. Jobs are short and rare, so that it
  // meets the key free.
  void returns_late() {
    if (!type_.lease || !type_.releases) return;
    ScenarioDraft draft(type_, lock_, kReturnsLate, "a holder is stopped past its lease, and goes on as before");
    if (type_.manifest->can_do("threads")) draft.set("threads", 2);
    draft.set("clients", 2).set("hold_ms", {50, 100}).set("pause_ms", {100, 300}).outlives(Outlives::yes);
    draft.add_fault({{"fault", "pause"},
                     {"target", "holder"},
                     {"at", {{"phase", "critical_section"}, {"nth", 2}}},
                     {"for_ms", draft.beyond_ms()}});
    out_.scenarios.push_back(draft.set("duration_ms", draft.beyond_ms() + kReturned_ms).finish());
  }

  // Between its refusal and what it does to be woken: the key is given back meanwhile, and nobody else asks for it
  // soon.
  void stop_waiters() {
    if (!type_.waits || !type_.releases) return;
    const std::int64_t last = std::min(struck_requests(Situation::refused), kMostWakeups);
    for (std::int64_t request = 1; request <= last; ++request) {
      nlohmann::json at = at_request(Situation::refused, request, "after", 1);
      ScenarioDraft draft(type_, lock_, kWakesUp + std::to_string(request),
                          "a waiter is stopped when request " + std::to_string(request) +
                              " of its acquire was answered, while the key is given back");
      draft.set("clients", kFewestClients).set("hold_ms", {1400, 1500}).set("pause_ms", {5000, 6000});
      draft.set("lease_ms", promised_lease_ms(type_, draft.lease_ms() + 1500)).moment_only();
      draft.add_fault({{"fault", "pause"}, {"at", at}, {"for_ms", 1800}});
      out_.scenarios.push_back(draft.set("duration_ms", 8000).finish());
    }
  }

  // What its client is about is known, too.
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
    cut_off("cut_replies_acquire", "before it asks", asks, "replies", Outlives::no);
    if (!type_.releases) return;
    const nlohmann::json frees{{"phase", "before_release"}, {"nth", 2}};
    stopped("pause_release", "before its release", frees, Outlives::yes);
    cut_off("cut_release", "before its release", frees, "both", Outlives::no);
    cut_off("cut_replies_release", "before its release", frees, "replies", Outlives::no);
  }

  // A refused attempt, a renewal or a release that is over leaves nothing to come: the client is stopped as it may be
  // anywhere in its work.
  void pause(const Point& point) {
    const std::string name = name_of("pause", point, point.after);
    if (point.last && point.situation != Situation::granted) {
      return leave_out(name, "the attempt is over: like a pause in the critical section, or of nobody");
    }
    add({name,
         "stopped past its lease when " + words(point, point.after),
         {{"fault", "pause"}, {"at", moment(type_, point, point.after)}, {"for_ms", beyond_ms()}},
         until_looked()},
        point.situation);
  }

  // Of a grant more than one: another client may be faster, and the struck acquire refused.
  void lose_reply(const Point& point) {
    if (!point.after) return;
    Strike strike(name_of("reply_lost", point, true),
                  "executed, the reply and the connection are lost, when " + words(point, true), {});
    nlohmann::json at = moment(type_, point, true);
    strike.of_grants = point.situation == Situation::granted;
    const bool several = strike.of_grants && type_.releases;
    for (const int nth : several ? kGrants : std::vector<int>{at.at("nth").get<int>()}) {
      at["nth"] = nth;
      strike.faults.push_back({{"fault", "reply_lost"}, {"at", at}});
    }
    add(strike, point.situation);
  }

  void kill(const Point& point) {
    const std::string name = name_of("kill", point, point.after);
    const bool sent = point.after || point.situation == Situation::released;
    if (!sent) return leave_out(name, "nothing was sent yet: like a kill between two attempts");
    if (point.last && point.situation != Situation::granted) {
      return leave_out(name, "the attempt is over: like a kill in the critical section, or of nobody");
    }
    if (!point.after) return leave_out(name, "it is like kill_critical_section: nothing is sent between");
    add({name,
         "killed when " + words(point, point.after),
         {{"fault", "kill"}, {"at", moment(type_, point, point.after)}, {"for_ms", 500}}},
        point.situation);
  }

  // Both ways: what is sent next may arrive when the network is back. Replies only: the statement is executed, and
  // nothing more is heard.
  void cut(const Point& point) {
    const std::string both = name_of("cut", point, point.after);
    if (point.last && point.situation != Situation::granted) {
      leave_out(both, "the attempt is over: like a cut while it holds, or of nobody");
    } else {
      add_cut(both, point, point.after, "both");
    }
    if (point.after) add_cut(name_of("cut_replies", point, false), point, false, "replies");
  }

  void add_cut(const std::string& name, const Point& point, bool after, const char* lose) {
    add({name,
         "cut off (" + std::string(lose) + ") for longer than its lease when " + words(point, after),
         {{"fault", "partition"}, {"at", moment(type_, point, after)}, {"for_ms", beyond_ms()}, {"lose", lose}},
         until_looked()},
        point.situation);
  }

  const LockType& type_;
  std::string lock_;
  const LockFacts& facts_;
  GeneratedSuite& out_;
};

}  // namespace

bool counts_requests(const LockType& type) {
  return type.manifest != nullptr && *server_type(type.server).protocol != '\0';
}

void add_fault_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out) {
  FaultScenarios(type, lock, facts, out).add_all();
}

}  // namespace holdfast
