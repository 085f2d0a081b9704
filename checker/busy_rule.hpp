// Evidence that judges a `busy` answer: the acquires that may hold a key unseen, and the strict rule.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/by_id.hpp"
#include "checker/hold.hpp"
#include "checker/property.hpp"

namespace holdfast {

// The indeterminate acquires of one key, which may have taken the lock unseen.
//
// An indeterminate acquire retires. Either it sends one release to clean up, and may have held from its acquire's
// invocation to that release's answer; or it never does, and then, without a lease, it would hold for ever: it can only
// be after the last belief. A clean-up that was answered ok proves that it did hold. One that was answered not_held
// proves that it did not hold then: it took the lock later, if ever (or, with a lease, lost it before).
class IndeterminateAcquires {
 public:
  enum class CleanUp : std::uint8_t { none, proved, disproved };

  void appeared(std::uint32_t process, std::int64_t acquire_invoked_ns);
  void release_invoked(std::uint32_t process);
  void vanished(std::uint32_t process);
  // `leased`: the lock's grants lapse by themselves. `acquire_invoked_ns` is set where the clean-up says something.
  CleanUp release_answered(std::uint32_t process, std::int64_t invoked_ns, std::int64_t answered_ns, bool not_held,
                           bool leased, std::int64_t& acquire_invoked_ns);
  // A later grant's refusals begin no earlier than this: what was cleaned up before explains nothing more.
  void forget_before(std::int64_t time_ns);

  std::ptrdiff_t may_hold_for_ever(std::int64_t by_ns) const;  // a count
  bool any_cleaned_up() const { return !cleaned_.empty(); }
  bool cleaned_up_within(std::int64_t from_ns, std::int64_t to_ns) const;    // one that has answered
  bool may_clean_up_within(std::int64_t from_ns, std::int64_t to_ns) const;  // any

 private:
  struct Cleaned {
    std::uint32_t process = 0;
    std::int64_t from_ns = 0;     // invocation of the acquire
    std::int64_t to_ns = kNever;  // answer of the clean-up
  };
  // All that never cleaned up, which may be very many: process -> invocation of its acquire; and these, in order, in
  // which they nearly always come.
  std::unordered_map<std::uint32_t, std::int64_t> uncertain_;
  std::vector<std::int64_t> invoked_ns_;
  std::vector<Cleaned> cleaned_;
};

struct Refusal {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  std::int64_t invoked_ns = 0;
  std::int64_t refused_ns = 0;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  std::int64_t free_since_ns = -1;  // end of the belief before; -1: none
};

// The strict rule for `busy` answers: a hold that is possible at some moment of the refusal must explain it. Calls back
// for each refusal *while the lock was provably free*.
//
// A refusal [b, b'] is legal iff it touches a belief; or the release of the belief before had not answered by b (it may
// have taken effect late); or the acquire of the next grant was invoked by b' (it may have taken effect early); or an
// indeterminate acquire may have held: one that was cleaned up, or, only after the last belief, one that never was.
// With leases the latter may also hold between two grants, since it lapses by itself; so may one of a killed client,
// whose session ends. After a kill, a leave or an indeterminate release nothing is known until the next grant.
//
// Whether the next acquire explains it is known at the next grant, so one refusal is kept open per key: the first,
// since what explains it explains all later ones. Thus each gap is reported once: the count is a lower bound, the
// judgement exact.
class BusyRule {
 public:
  using Report = std::function<void(const Refusal&)>;
  explicit BusyRule(const PropertyContext& context) : context_(context), leased_(context.header.model == "lease") {}

  // Adds a receiver; one rule serves all of a check.
  void report_to(Report report) { reports_.push_back(std::move(report)); }

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  // Events of clients, after Holds has processed them.
  void called(const Event& event) {
    note_lease(event);
    if (event.op == Op::release) asked_back(event);
  }
  void answered(const Event& event) {
    note_lease(event);
    if (event.type == EventType::info) unanswered(event);
    if (event.op == Op::acquire && event.type == EventType::ok && leased_) granted_again(event);
    if (event.op == Op::release) released(event);
    if (event.reason == Reason::busy && event.op == Op::acquire && event.type == EventType::fail) refused(event);
  }
  void left(const Event& event) { note_lease(event); }
  void killed(const Event& event);
  void finish();

 private:
  // Explained by clean-ups alone, one of which has not answered yet and may say not_held.
  struct Waiting {
    Refusal refusal;
    bool closed = false;  // the next grant has come and does not explain it
  };
  // The time for which a finished belief may have held the lock.
  struct LetGo {
    std::uint32_t process = 0;
    std::int64_t until_ns = kNever;  // the answer; kNever: none, or not known
  };
  struct Key {
    std::int64_t held_until_ns() const {
      std::int64_t last_ns = -1;
      for (const LetGo& each : let_go) last_ns = std::max(last_ns, each.until_ns);
      return last_ns;
    }
    std::int64_t granted_ns = -1;
    std::int64_t timely_ns = -1;  // the last grant that was answered inside its own lease
    std::uint32_t timely_to = 0;
    std::int64_t belief_end_ns = -1;
    std::vector<LetGo> let_go;  // since the last grant; several where leases lapsed under their holders
    std::optional<Refusal> open;
    std::vector<Waiting> waiting;
    // Processes that were killed with an acquire open, and when they had called it: they may have been given it, and
    // have held it for as long as their session lived.
    std::vector<std::pair<std::uint32_t, std::int64_t>> dead;
    bool half_released = false;            // a reentrant holder's release has no answer: it may take effect at any time
    bool proved_in_gap = false;            // a clean-up has answered ok since the last grant
    std::int64_t last_considered_ns = -1;  // answer of the last refusal that nothing before it explained
    std::array<std::int64_t, 4> ends_ns{-1, -1, -1, -1};  // ends of the last beliefs, the last one first
    IndeterminateAcquires indeterminate;
  };
  Key& at(std::uint32_t key) { return keys_[key]; }
  void unanswered(const Event& event);
  void granted_again(const Event& event);
  void refused(const Event& event);
  bool may_be_held(const Key& key, std::uint32_t number) const;
  void released(const Event& event);
  void cleaned_up(Key& key, const Event& event, bool not_held);
  void asked_back(const Event& event);
  void unknown_depth(const Event& event);
  void note_lease(const Event& event) {
    if (event.lease_ns.value_or(0) > 0) leased_ = true;
  }
  void consider(Key& key, const Refusal& refusal);
  void close(Key& key, std::int64_t next_invoked_ns);
  void judge(Key& key, const Refusal& refusal);
  void think_again(Key& key);
  void note_proved(Key& key, std::int64_t clean_up_ns);
  void tell(const Refusal& refusal) const {
    for (const Report& report : reports_) report(refusal);
  }
  bool explained_by(std::ptrdiff_t indeterminate, const Key& key);
  // Leaves it to key_orders.hpp which gap, if any, a clean-up explains.
  void doubt(const Key& key) { context_.orders.doubt(keys_.id_of(key)); }
  std::ptrdiff_t indeterminate_before_a_grant(const Key& key, const Refusal& refusal) const;
  std::ptrdiff_t indeterminate_at_the_end(const Key& key, const Refusal& refusal) const;

  PropertyContext context_;
  std::vector<Report> reports_;
  bool leased_;
  ById<Key> keys_;
};

}  // namespace holdfast
