#include "generate/load_scenarios.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "adapter/manifest.hpp"
#include "generate/fault_scenarios.hpp"
#include "generate/scenario_draft.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

using nlohmann::json;

// Abilities of an adapter that some load or fault here uses.
constexpr std::array<std::string_view, 11> kTried{"renew", "owned", "cancel", "block",      "threads", "reenter",
                                                  "wait",  "lost",  "leader", "background", "shared"};

constexpr std::int64_t kPatience_ms = 300;
constexpr std::int64_t kIdle_ms = 4000;        // more than a time limit of idle sessions that a test sets
constexpr std::int64_t kShort_ms = 1200;       // a lease that waits outlast
constexpr std::int64_t kGap_ms = 200;          // between two jobs of a reader
constexpr std::int64_t kAfterLapse_ms = 5000;  // for rounded seconds, and for a writer to be kept out for long enough
constexpr std::int64_t kStep_ms = 5000;        // of a wrong clock, at least: it is more than the lease

// Strings that some database considers equal: by case, trailing blanks, the part after a common prefix, or Unicode
// composition.
json look_alikes(const std::string& word) {
  const std::string begins_alike = word + "-0123456789-0123456789-0123456789-";
  // longer than a session lock's name may be
  const std::string longer = begins_alike + "0123456789-0123456789-0123456789-";
  return {word,         word + " ",   "O" + word.substr(1), begins_alike + "1", begins_alike + "2",
          longer + "1", longer + "2", word + "-\u00e9",     word + "-e\u0301"};
}

class LoadScenarios {
 public:
  LoadScenarios(const LockType& type, std::string lock, const LockFacts& facts, GeneratedSuite& out)
      : type_(type), lock_(std::move(lock)), facts_(facts), out_(out) {}

  void add_all() {
    declared_and_not_tried();
    cancelled();
    readers();
    crowds();
    start_beside_holder();
    identities();
    leases();
    sessions();
    clocks();
  }

 private:
  ScenarioDraft draft(const std::string& name, const std::string& about) const { return {type_, lock_, name, about}; }
  void add(const ScenarioDraft& draft) { out_.scenarios.push_back(draft.finish()); }
  void leave_out(const std::string& name, const std::string& why) { out_.left_out.push_back({lock_, name, why}); }
  // A scenario that does not apply to the lock, or is the same as another, leaves nothing untested.
  void not_needed(const std::string& name, const std::string& why) {
    out_.left_out.push_back({lock_, name, why, {}, true});
  }
  void turned_off(const std::string& name, const std::string& why, const std::string& word) {
    type_.manifest == nullptr ? not_needed(name, why) : leave_out(name, why + turned_on(word));
  }
  // Abilities that an adapter's author may have forgotten to declare.
  std::string turned_on(const std::string& word) const {
    return type_.manifest == nullptr ? "" : "; if it can, add `" + word + "` to `can` in lock.json";
  }
  const ServerType& server() const { return server_type(type_.server); }

  bool can(const char* word) const { return type_.manifest != nullptr && type_.manifest->can_do(word); }

  // Comes first: an author who declares an ability expects it to be tested.
  void declared_and_not_tried() {
    if (type_.manifest == nullptr) return;
    std::string words;
    for (const std::string& word : type_.manifest->can) {
      const bool known = std::find(kTried.begin(), kTried.end(), word) != kTried.end();
      if (!known) words += (words.empty() ? "" : ", ") + word;
    }
    if (words.empty()) return;
    out_.left_out.insert(out_.left_out.begin(), {lock_, words, "lock.json declares it, and no load here asks for it"});
  }

  // Some acquires are cancelled before the grant, some at the same time.
  void cancelled() {
    if (!can("cancel") || !type_.waits) return;
    add(draft("cancelled", "clients cancel acquires that have waited as long as most jobs take")
            .set("cancel_after_ms", kPatience_ms)
            .set("hold_ms", {kPatience_ms / 2, kPatience_ms})
            .set("duration_ms", 5000)
            .moment_only());
  }

  // Readers beside each other and beside writers. Where one of two readers is killed, the other leaves gaps in which a
  // writer must get in once the lease of the dead one is over.
  void readers() {
    if (!can("shared")) return;
    add(draft("readers", "two clients read beside each other, two others need the lock alone")
            .set("mode", {"shared", "shared", "exclusive", "exclusive"})
            .set("duration_ms", std::max<std::int64_t>(3000, silent_ms())));
    if (type_.renews || type_.renews_in_background || type_.renews_unseen) {
      const std::int64_t lease = long_job_lease_ms();
      add(draft("long_readers", "readers whose jobs depend on renewals, and a writer")
              .set("mode", {"shared", "shared", "exclusive"})
              .set("clients", 3)
              .set("lease_ms", lease)
              .set("hold_ms", {lease * 5 / 2, lease * 5 / 2 + 300})
              .set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}})
              .set("duration_ms", 6 * lease + silent_ms()));
    }
    const std::int64_t hold_ms = lease_ms() / 3;
    add(draft("reader_killed", "one of two readers is killed, and a writer waits")
            .set("mode", {"shared", "shared", "exclusive"})
            .set("clients", 3)
            .set("hold_ms", {hold_ms, hold_ms + 150})
            .set("pause_ms", {kGap_ms, kGap_ms + 150})
            .set("coverage", {{"grants", 4}, {"attempts_in_hold", 0}})
            .add_fault({{"fault", "kill"},
                        {"target", "client:0"},
                        {"at", {{"phase", "granted"}, {"client", 0}, {"nth", 1}}},
                        {"for_ms", 3 * lease_ms() + kAfterLapse_ms}})
            .set("duration_ms", 3 * lease_ms() + kAfterLapse_ms + 1000)
            .moment_only());
  }

  // A program that starts may clean up what it takes for left over. The killed client holds nothing, so nothing else
  // can cost the holder its lock.
  void start_beside_holder() {
    if (type_.waits || type_.scheduled) {
      return not_needed(kStartBesideHolder, "a client of this lock that holds nothing waits inside its acquire");
    }
    const std::int64_t hold_ms = lease_ms() * 2 / 5;
    add(draft(kStartBesideHolder, "a client that holds nothing is killed while another holds, and starts again")
            .set("hold_ms", {hold_ms, hold_ms + 50})
            .set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}})
            .add_fault({{"fault", "kill"}, {"target", "waiter"}, {"at", {{"phase", "refused"}}}, {"for_ms", 200}})
            .set("duration_ms", lease_ms() + silent_ms()));
  }

  // Short holds and few waits: many attempts fall between two statements of another.
  void crowds() {
    add(draft("none", "several clients, no faults").set("duration_ms", std::max<std::int64_t>(2500, silent_ms())));
    add(draft("crowd", "eight clients that retry at once")
            .set("clients", 8)
            .set("hold_ms", {1, 8})
            .set("pause_ms", {0, 3})
            .set("poll_ms", 5)
            .set("duration_ms", std::max<std::int64_t>(2000, silent_ms())));
    slow_commits();
    variants();
  }

  // Two statements of two clients overlap inside the server, where one waits for the other's row.
  void slow_commits() {
    if (!server().delays_commits) {
      return not_needed("slow_commits", std::string("a commit of ") + server().title + " holds no lock while it waits");
    }
    add(draft("slow_commits", "each commit waits 3 ms for the disk, with its row locks held")
            .set("server", {{"commit_delay_ms", 3}})
            .set("hold_ms", {5, 15})
            .set("pause_ms", {0, 5})
            .set("poll_ms", 4)
            .set("duration_ms", std::max<std::int64_t>(2500, silent_ms())));
  }

  void variants() {
    if (server().variants.empty()) {
      return not_needed("variants", std::string("there is only one way to connect to ") + server().title);
    }
    for (const auto& variant : server().variants) {
      if (lock_.find('+') != std::string::npos) {
        not_needed(variant.name, "the lock was given with a variant");
      } else {
        ScenarioDraft other(type_, lock_ + "+" + variant.name, variant.name, variant.about);
        add(other.set("duration_ms", std::max<std::int64_t>(2500, silent_ms())));
      }
    }
  }

  // For a lock without release: until the lease has run out and the next client holds it.
  std::int64_t silent_ms() const { return type_.releases ? 0 : lease_ms() + 3500; }
  std::int64_t lease_ms() const { return draft("x", "").lease_ms(); }
  // A lease that a hold of this length does not outlive: the usual one, except for waiting locks without automatic
  // renewal, whose holds are long here.
  std::int64_t lease_for(std::int64_t hold_ms) const {
    const std::int64_t wait_ms = longest_wait_ms(type_);
    return wait_ms == 0 || type_.renews_unseen ? lease_ms() : promised_lease_ms(type_, wait_ms + hold_ms + 1000);
  }

  void identities() {
    add(draft("shared_address", "clients share one address, as on one host").set("shared_addresses", 3));
    if (type_.manifest == nullptr || type_.manifest->can_do("threads")) {
      add(draft("threads", "two threads of each program share one lock object").set("clients", 2).set("threads", 2));
    } else {
      leave_out("threads", "the adapter does not declare `threads`" + turned_on("threads"));
    }
    add(draft("several_keys", "three keys, chosen at random").set("keys", 3));
    // Few clients meet on one key, so interference between two keys becomes visible.
    add(draft("many_keys", "sixty keys, of which a client holds three at a time")
            .set("clients", 8)
            .set("keys", 60)
            .set("keys_at_once", 3)
            .set("hold_ms", {150, 300})
            .set("lease_ms", lease_for(2 * longest_wait_ms(type_) + 300))
            .set("coverage", {{"grants", 4}, {"attempts_in_hold", 0}})
            .set("duration_ms", 5000 + silent_ms())
            .moment_only());
    add(draft("keys_at_once", "each client holds two keys at a time")
            .set("clients", 3)
            .set("keys", 3)
            .set("lease_ms", lease_for(longest_wait_ms(type_) + 300))
            .set("keys_at_once", 2));
    ScenarioDraft alike = draft("keys_alike", "keys that differ in case, trailing blanks, length or Unicode form");
    alike.set("keys", look_alikes("orders"))
        .set("clients", 5)
        .set("duration_ms", std::max<std::int64_t>(3000, silent_ms()));
    // A client that waits inside an acquire is refused only if a hold is longer than the wait.
    const std::int64_t wait_ms = longest_wait_ms(type_);
    if (wait_ms > 0) {
      alike.set("hold_ms", {wait_ms + 300, wait_ms + 600})
          .set("lease_ms", lease_for(wait_ms + 600))
          .set("duration_ms", 4 * wait_ms + 2000)
          .moment_only();
    }
    if (!type_.releases) alike.moment_only();  // few clients leave in time for another of the nine keys
    add(alike);
    add_keys_apart();
    add(draft("owners_alike", "owners that differ in case, trailing blanks, length or Unicode form")
            .set("owners", look_alikes("owner"))
            .set("clients", 9)
            .set("duration_ms", std::max<std::int64_t>(3000, silent_ms())));
    if (type_.reentrant) {
      add(draft("reenter", "jobs acquire the lock again while they hold it").set("reenter", true));
    } else {
      turned_off("reenter", "the lock does not promise that its holder may acquire it again", "reenter");
    }
  }

  // Each client has its own key, so every refusal is caused by another key.
  void add_keys_apart() {
    json keys_of = json::array();
    for (const auto& key : look_alikes("orders")) keys_of.push_back({key});
    const std::int64_t hold_ms = longest_wait_ms(type_) + 300;
    add(draft("keys_apart", "each client has its own key; the keys differ only in case, blanks, length or Unicode form")
            .set("clients", keys_of.size())
            .set("keys_of", keys_of)
            .set("hold_ms", {hold_ms, hold_ms + 200})
            .set("lease_ms", lease_for(hold_ms + 200))
            .set("coverage", {{"grants", 4}, {"attempts_in_hold", 0}})
            .set("duration_ms", std::max<std::int64_t>(3 * hold_ms + 2000, silent_ms()))
            .moment_only());
  }

  void leases() {
    if (!type_.lease) {
      idle_jobs();
      return not_needed("leases", "grants of this lock have no lease");
    }
    const std::int64_t fraction_ms = promised_lease_ms(type_, 1900);
    add(draft("fraction", "a lease that is not a whole number of seconds, and jobs that take nearly all of it")
            .set("lease_ms", 1900)
            .set("hold_ms", {fraction_ms - 500, fraction_ms - 150})
            .set("poll_ms", 15)
            .set("align_ms", 850)
            .set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}})
            .set("duration_ms", 5000 + silent_ms())
            .outlives(Outlives::yes));
    // Jobs are longer than the shortest lease: its holder overruns and must not end the others' leases. The longest
    // lease is renewed after a third of it, which is later than the shortest one ends.
    add(draft("own_leases", "each client asks for a different lease")
            .set("lease_ms", {lease_ms(), 6 * lease_ms(), 5 * lease_ms()})
            .set("hold_ms", {lease_ms() * 3 / 2, lease_ms() * 7 / 4})
            .set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}})
            .set("clients", 3)
            .set("duration_ms", 6 * lease_ms() + silent_ms())
            .outlives(Outlives::yes));
    if (type_.waits && !type_.scheduled && type_.releases && !type_.renews_unseen) long_waits();
    if (type_.renews || type_.renews_in_background || type_.renews_unseen) {
      long_jobs();
    } else {
      turned_off("long_jobs", "the lock does not renew", "renew` or `background");
    }
  }

  // The lock is kept by a session that sends nothing for that long.
  void idle_jobs() {
    add(draft("idle_jobs", "jobs whose sessions send nothing for four seconds")
            .set("hold_ms", {kIdle_ms, kIdle_ms + 300})
            .set("clients", 3)
            .set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}})
            .set("duration_ms", 3 * kIdle_ms + silent_ms()));
  }

  // Waiting clients reach the end of their requested lease. One that is granted just before may overrun it.
  void long_waits() {
    const std::int64_t lease = promised_lease_ms(type_, kShort_ms);
    add(draft("long_waits", "clients wait for longer than the lease that they ask for")
            .set("lease_ms", lease)
            .set("hold_ms", {lease / 2, lease / 2 + 150})
            .set("clients", 5)
            .set("coverage", {{"grants", 2}, {"attempts_in_hold", 0}})
            .set("duration_ms", 5 * lease + 1000)
            .moment_only()
            .outlives(Outlives::yes));
  }

  void long_jobs() {
    const std::int64_t lease = long_job_lease_ms();
    add(draft("long_jobs", "jobs that depend on renewals")
            .set("lease_ms", lease)
            .set("hold_ms", {lease * 5 / 2, lease * 5 / 2 + 300})
            .set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}})
            .set("clients", 3)
            .set("duration_ms", 6 * lease + silent_ms()));
    ScenarioDraft killed = draft("long_job_killed", "a holder that has renewed many times is killed");
    add(killed.set("hold_ms", {4 * lease_ms(), 4 * lease_ms() + 300})
            .set("coverage", {{"grants", 1}, {"attempts_in_hold", 1}})
            .set("clients", 3)
            .add_fault(
                {{"fault", "kill"}, {"target", "holder"}, {"at", {{"time_ms", 3 * lease_ms() + 300}}}, {"for_ms", 500}})
            .set("duration_ms", 3 * lease_ms() + 1000 + silent_ms()));
    if (type_.renews_unseen) long_job_cut();
  }

  // A third of a lease after the last renewal two thirds are left; the cut, plus TCP's retransmission time, must end
  // within them.
  void long_job_cut() {
    constexpr std::int64_t kLongEnough_ms = 3600;
    const std::int64_t lease = std::max(lease_ms(), promised_lease_ms(type_, kLongEnough_ms));
    ScenarioDraft cut =
        draft("long_job_cut", "the holder's network is cut for a third of its lease, in the middle of a job");
    add(cut.set("lease_ms", lease)
            .set("hold_ms", {lease * 5 / 2, lease * 5 / 2 + 300})
            .set("coverage", {{"grants", 1}, {"attempts_in_hold", 1}})
            .set("clients", 3)
            .add_fault({{"fault", "partition"},
                        {"target", "holder"},
                        {"at", {{"time_ms", lease * 4 / 5}}},
                        {"for_ms", lease / 3},
                        {"lose", "both"}})
            .set("duration_ms", 4 * lease + silent_ms()));
  }

  // A renewing thread must get its turn in time on a busy machine, too.
  std::int64_t long_job_lease_ms() const {
    constexpr std::int64_t kBusy_ms = 2000;
    return type_.renews_unseen ? std::max(lease_ms(), promised_lease_ms(type_, kBusy_ms)) : lease_ms();
  }

  void sessions() {
    if (!server().has_sessions) return not_needed("zones, isolation", "sessions of this server have neither");
    add(draft("zones", "sessions in three time zones").set("time_zone", {"+00:00", "+08:00", "-05:00"}));
    add(draft("read_committed", "all sessions at READ COMMITTED").set("isolation", {"read_committed"}));
    add(draft("isolation", "each session at a different isolation level")
            .set("isolation", {"repeatable_read", "read_committed", "serializable", "read_uncommitted"}));
  }

  void clocks() {
    const std::int64_t step = std::max(kStep_ms, lease_ms() * 3 / 2);
    for (const auto& [name, step_ms] : {std::pair{"clock_ahead", step}, std::pair{"clock_behind", -step}}) {
      add(draft(name, "one client's wall clock is wrong from the start")
              .add_fault(
                  {{"fault", "client_skew"}, {"target", "client:0"}, {"at", {{"time_ms", 0}}}, {"step_ms", step_ms}}));
    }
    if (!type_.lease) return not_needed("clock_set", "grants of this lock have no lease that a clock could end");
    const json at{{"phase", "granted"}, {"nth", type_.releases ? 2 : 1}};
    for (const auto& [name, step_ms] : {std::pair{"clock_set_ahead", step}, std::pair{"clock_set_back", -step}}) {
      ScenarioDraft one = draft(name, "the holder's wall clock is set while it works");
      const std::int64_t for_ms = one.beyond_ms() + 1000;
      one.add_fault({{"fault", "client_skew"}, {"at", at}, {"for_ms", for_ms}, {"step_ms", step_ms}});
      // A client that checks its own deadline must see that its lease is over, whatever the wall clock shows.
      if (facts_.looks_at_deadline) {
        one.add_fault({{"fault", "pause"}, {"at", at}, {"for_ms", one.beyond_ms()}})
            .set("hold_ms", {40, lease_ms() / 4})
            .outlives(Outlives::until_it_looks);
      }
      one.set("coverage", {{"grants", 2}, {"attempts_in_hold", 1}});
      add(one);
    }
  }

  const LockType& type_;
  std::string lock_;
  const LockFacts& facts_;
  GeneratedSuite& out_;
};

}  // namespace

void add_load_scenarios(const LockType& type, const std::string& lock, const LockFacts& facts, GeneratedSuite& out) {
  LoadScenarios(type, lock, facts, out).add_all();
}

}  // namespace holdfast
