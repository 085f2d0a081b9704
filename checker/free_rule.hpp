// The rule for a single refusal of a free key, in a run of our own.
//
// A refusal [b, b'] as busy is unexplained if for as long as a correct lock may stay taken before b (the longest lease
// promised on the key, in whole seconds, + 1 s + the lock's guard time) no client believed to hold the key, no
// operation that may have changed it was open, and no fault was in force; nor was another client's operation open
// within [b, b']; nor had a fault been in force since the last holder asked. Reported once for each such gap, at the
// next grant or the end.
//
// The rule allows for leases that differ (the longest counts), watchdogs and other renewals on their way (open until
// answered), killed clients (a kill is a fault), operations without an answer, and grants that nothing ends (the holder
// of a lock without a lease left or failed to release): after these nothing is reported until the next grant proves
// that the key was free. A machine that stood still for as long makes it undecided; so do measured waits for a
// processor (of the client or the server) that took half or more of an attempt of a lock that waits before it refuses:
// it may have been given up too soon. Equal times are concurrent. An attempt that surely failed leaves nothing behind:
// it explains others' refusals only while it is open.
//
// Memory: a few numbers a key.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/busy_rule.hpp"
#include "checker/property.hpp"
#include "checker/surely_free.hpp"

namespace holdfast {

struct FreeRefusals {
  Refusal first;
  std::int64_t count = 0;
  std::int64_t allowed_ns = 0;
  std::optional<Hold> elsewhere;  // a hold of another key at that time
};

class FreeRule {
 public:
  using Report = std::function<void(const FreeRefusals&)>;
  using Doubt = std::function<void(const std::string&)>;
  FreeRule(const PropertyContext& context, Report report, Doubt doubt)
      : context_(context), report_(std::move(report)), doubt_(std::move(doubt)) {}

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);
  void finish();
  // Drops the unreported refusals: they are part of a more severe finding.
  void drop(std::uint32_t key);
  bool violated() const { return pending_ > 0; }

 private:
  // The last reported failures: no other client's attempt may have been open beside a refusal.
  struct Failed {
    std::uint32_t process = 0;
    std::int64_t answered_ns = -1;
  };
  struct Key {
    std::int64_t asked_ns = 0;     // when the last holder, or a client that may hold it, had asked
    std::int64_t used_to_ns = -1;  // when it was last held or changed; -1: never
    std::int64_t lease_ns = 0;     // the longest promised on it
    bool unknown = false;          // until the next grant a client may hold it, for an unknown time
    Failed last, last_of_another;  // the latter's process is another than the former's
    FreeRefusals pending;
  };
  Key& at(std::uint32_t key);
  void used(Key& key, const Event& event);
  void refused(Key& key, const Event& event);
  std::string starved_words(const Event& event, std::int64_t invoked_ns) const;
  bool others_asked(const Key& key, const Event& event, std::int64_t invoked_ns) const;
  std::optional<Hold> elsewhere(std::uint32_t key) const;
  void flush(Key& key);

  PropertyContext context_;
  Report report_;
  Doubt doubt_;
  int pending_ = 0;  // keys that have some
  std::vector<Key> keys_;
};

struct Stuck {
  std::uint32_t key = 0;
  std::int64_t free_since_ns = 0;
  std::int64_t allowed_ns = 0;
  std::int64_t refusals = 0;
  bool waited = false;        // kept waiting by a single attempt, not refused
  bool asleep = false;        // ... of a key that was surely free
  bool beside_fault = false;  // a fault struck others meanwhile
  Statement failed;           // the one that the last of these errors answered; no name: unknown
  std::int64_t errors = 0;    // those of them that say nothing about a holder: neither busy, conflict nor cancelled
  std::int64_t last_ns = 0;   // the last refusal's invocation
  std::vector<std::uint64_t> indices;  // first and last refusal
  std::vector<std::uint32_t> clients;

  // Every attempt was answered by an error.
  bool always_errs() const { return !waited && errors == refusals; }
};

// The rule for a key that stays refused to all clients though none believes to hold it, in holdfast's own runs.
//
// From T0 on (the last belief's end, an indeterminate acquire or renewal, a kill, the end of a fault that reaches every
// client, whichever is latest) a lock may stay held for its lease, rounded up to a whole second since many locks store
// whole seconds, + 1 s + its guard time + the progress bound. Stuck: two refusals (busy or conflict) since T0, the
// later one *invoked* past that, without a grant between and without a believer. The report comes once per stuck time,
// at its end or at that of the history.
//
// Without a lease a key stays taken until its release is answered; a release that a fault holds up is open until then.
//
// The rule judges the load, too, and counts only refusals of clients that no fault reaches (causes.hpp). An operation
// that a struck client left without an answer may take effect until the fault is over, so nothing is judged until then,
// nor while such a client's acquire or renewal is open.
//
// An open acquire waits. One that is answered, with any answer, only after it has waited for longer than that since T0
// was kept out of a free key just as a client that asks again and again. One that is never answered was kept out if the
// lock is known to wait (the header's `waits`); otherwise that is unknown. Refusals that a machine stall explains are
// undecided, and so are refusals by a lock that waits while waits for a processor took half of the attempt or more.
//
// A client may also wait for another client's attempt that a fault holds up: the open transaction of a client that is
// stopped or cut off keeps its rows. So the wait counts only from the end of that attempt on, or, while the attempt is
// open, from the end of the fault on, and from five seconds later for a fault that keeps packets.
//
// A key that is surely free (surely_free.hpp) has no lease that could run out. A client that waits beside one, and did
// not see its release, is asleep after the guard time + 1 s + the progress bound.
//
// The rule reports nothing about a key that no client asked for, or whose holder still believes.
class StuckRule {
 public:
  using Report = std::function<void(const Stuck&)>;
  StuckRule(const PropertyContext& context, const SurelyFree& free, Report stuck, Report unreachable)
      : context_(context), free_(free), report_(std::move(stuck)), unreachable_(std::move(unreachable)) {}

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);
  void finish();
  bool stuck() const { return stuck_ > 0; }

  // An attempt that failed for sure, and was answered.
  static bool turned_away(const Event& event);

 private:
  struct Tally {
    std::int64_t refusals = 0;
    std::int64_t errors = 0;
    Statement failed;
    std::uint64_t first_index = 0;
    std::uint32_t first_client = 0;
    std::optional<Stuck> stuck;
  };
  struct Key {
    std::int64_t free_since_ns = 0;
    std::int64_t lease_ns = 0;  // the longest promised on it
    std::int64_t counted_from_ns = 0;
    std::map<std::uint32_t, std::int64_t> held_up;  // by client: the end of its last attempt that a fault held up
    std::vector<std::uint32_t> left_unanswered;     // clients whose operation may still take effect, each once
    Tally answered;
    Tally unanswered;
  };
  Key& at(std::uint32_t key);
  // An attempt, and how long it has been open.
  struct Wait {
    std::uint32_t key = 0;
    std::uint32_t client = 0;
    std::int64_t invoked_ns = 0;
    std::int64_t until_ns = 0;
    std::vector<std::uint64_t> indices;
  };
  void waited(const Wait& wait, bool answered);
  std::optional<std::int64_t> free_since_ns(std::uint32_t key);
  bool is_leased(std::uint32_t key);
  bool asked_under_fault(std::uint32_t key);
  std::int64_t held_up_until_ns(std::uint32_t key, std::uint32_t client);
  void note_held_up(const Event& event);
  std::optional<std::int64_t> quiet_since_ns(std::uint32_t key, std::uint32_t client);
  void leave_unanswered(const Event& event);
  void failed(const Event& event);
  static void count(Tally& tally, const Event& event, const Stuck& now);
  void close(Key& key);
  std::int64_t allowed_ns(const Key& key) const;

  PropertyContext context_;
  const SurelyFree& free_;
  Report report_;
  Report unreachable_;
  int stuck_ = 0;
  std::int64_t last_ns_ = 0;  // time of the last client event
  std::vector<Key> keys_;
};

// The stories of refusals that nothing explains, and of attempts that were kept waiting, in runs of our own.

Witness free_witness(const PropertyContext& context, const FreeRefusals& refusals);
// Says why the key was free: "nobody believed to hold ...".
std::string free_words(const PropertyContext& context, const Stuck& stuck);
Witness waiting_witness(const PropertyContext& context, const Stuck& stuck);

}  // namespace holdfast
