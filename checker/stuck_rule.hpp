// The rule for a key that stays refused to everybody though nobody believes to hold it, in a run of our own.
//
// From T0 on (the last belief's end, an indeterminate acquire or renewal, the last fault's end, heal or kill, whichever
// is latest) a lock may stay held for its lease, rounded up to a whole second since many locks store whole seconds, + 1
// s + its guard time + the progress bound. Stuck: two refusals (busy or conflict) since T0, the later one *invoked*
// past that, no grant between, nobody believing and no fault in force. Called back once per stuck time, when it is over
// or the history is.
//
// An acquire that is open waits: one that is answered, with whatever, only when it has waited for longer than that
// since T0 was kept out of a free key as those are who ask again and again. One that never is answered was kept out
// where the lock is known to wait (the header's `waits`); else nobody knows. What a stall of the machine explains is
// undecided.
//
// What it does not do: it says nothing of a key that nobody asked for, or whose holder still believes.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/property.hpp"

namespace holdfast {

struct Stuck {
  std::uint32_t key = 0;
  std::int64_t free_since_ns = 0;
  std::int64_t allowed_ns = 0;
  std::int64_t refusals = 0;
  bool waited = false;                 // kept waiting by a single attempt, not refused
  std::int64_t errors = 0;             // those of them that say nothing about a holder: neither busy nor conflict
  std::int64_t last_ns = 0;            // the last refusal's invocation
  std::vector<std::uint64_t> indices;  // first and last refusal
  std::vector<std::uint32_t> clients;
};

class StuckRule {
 public:
  using Report = std::function<void(const Stuck&)>;
  StuckRule(const PropertyContext& context, Report stuck, Report unreachable)
      : context_(context), report_(std::move(stuck)), unreachable_(std::move(unreachable)) {}

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
    std::uint64_t first_index = 0;
    std::uint32_t first_client = 0;
    std::optional<Stuck> stuck;
  };
  struct Key {
    std::int64_t free_since_ns = 0;
    std::int64_t lease_ns = 0;  // the longest promised on it
    std::int64_t counted_from_ns = 0;
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
  void failed(const Event& event);
  static void count(Tally& tally, const Event& event, const Stuck& now);
  void close(Key& key);
  std::int64_t allowed_ns(const Key& key) const;

  PropertyContext context_;
  Report report_;
  Report unreachable_;
  int stuck_ = 0;
  std::int64_t last_ns_ = 0;  // of the clients' events
  std::vector<Key> keys_;
};

}  // namespace holdfast
