// The rule for a single refusal of a free key, in a run of our own.
//
// An attempt [b, b'] that is refused as busy is refused for nothing if for as long as a correct lock may stay taken
// (the longest lease promised on the key, in whole seconds, + 1 s + the lock's guard time) before b nobody believed to
// hold the key and no operation that may have changed it was open, nor any operation of another within [b, b'], and no
// fault was in force in all that time, nor since the last holder had asked. Told of each such gap once, at the next
// grant or the end.
//
// What it allows for: leases that differ (the longest counts), watchdogs and other renewals on their way (open until
// answered), clients that were killed (a kill is a fault), operations without an answer and grants that nothing ends (a
// lock without a lease that its holder left or failed to release): after these nothing is told until the next grant
// proves that the key was free. A machine that stood still for as long makes it undecided. Equal times are concurrent.
// An attempt that surely failed leaves nothing behind: it explains others' refusals only while it is open.
//
// Memory: a few numbers a key.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/busy_rule.hpp"
#include "checker/property.hpp"

namespace holdfast {

// The longest that a key may stay taken after its last use: a lease of whole seconds (many locks store those), a second
// more, and what the lock keeps as a guard.
std::int64_t taken_at_most_ns(std::int64_t lease_ns, const HistoryHeader& header);

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
  // The refusals that are not told yet are part of something more severe.
  void drop(std::uint32_t key);
  bool violated() const { return pending_ > 0; }

 private:
  // The last failures that were told: nobody else's attempt may have been open beside a refusal.
  struct Failed {
    std::uint32_t process = 0;
    std::int64_t answered_ns = -1;
  };
  struct Key {
    std::int64_t asked_ns = 0;     // when the last holder, or whoever may be one, had asked
    std::int64_t used_to_ns = -1;  // when it was last held or changed; -1: never
    std::int64_t lease_ns = 0;     // the longest promised on it
    bool unknown = false;          // until the next grant somebody may hold it, nobody knows how long
    Failed last, last_of_another;  // the latter's process is another than the former's
    FreeRefusals pending;
  };
  Key& at(std::uint32_t key);
  void used(Key& key, const Event& event);
  void refused(Key& key, const Event& event);
  bool others_asked(const Key& key, const Event& event, std::int64_t invoked_ns) const;
  std::optional<Hold> elsewhere(std::uint32_t key) const;
  void flush(Key& key);

  PropertyContext context_;
  Report report_;
  Doubt doubt_;
  int pending_ = 0;  // keys that have some
  std::vector<Key> keys_;
};

}  // namespace holdfast
