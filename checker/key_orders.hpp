// The last word on each key of a foreign history: where the rules do not decide, every order of its operations is tried
// (order_search.hpp).
//
//   KeyOrders orders(header, holds, story);
//   orders.called(event);                 // of a client, after Holds has processed it
//   orders.answered(event);
//   orders.killed(event);
//   orders.doubt(key);                    // a rule cannot decide
//   orders.try_doubted(verdicts);         // at the end: properties that would hold
//   orders.settle(names, verdicts);       // becomes a violation, or undecided
//
// Keeps a key's operations from a moment in which it was surely free, and no client was asking except those that had
// done so while it was held; then the hold that ended is kept, too. Such a piece is tried if a rule doubts it, or if it
// has something that the rules do not decide together: under leases that end, anything that depends on the moment at
// which one ended. These are a grant that was asked for before the lease of the one before it had surely run out; one
// that was answered after its own lease, or to the current holder; an answer of not_held; an operation that took effect
// under no hold, or after its lease; and a refusal while only clients believed whose lease had passed to another.
// Otherwise the rules are exact, and the piece is forgotten.
//
// Not decided: a piece with more operations than kMostKept, or with more ways than kMostTried. It says so only if the
// piece needed it. Memory: at most kMostKeptInAll operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "artifact/verdict.hpp"
#include "checker/by_id.hpp"
#include "checker/holds.hpp"
#include "checker/order_search.hpp"
#include "checker/story.hpp"
#include "history/history_source.hpp"

namespace holdfast {

constexpr std::size_t kFewKept = 16;
// while a client that asked long ago may have had the lock, and its lease be over
constexpr std::size_t kSomeKept = 64;
constexpr std::size_t kMostKept = 4096;
constexpr std::size_t kMostKeptInAll = 1U << 16;
constexpr std::size_t kMostUncertain = 4096;
constexpr std::size_t kMostStrays = 64;  // per key
constexpr std::size_t kMostTried = 200'000;

class KeyOrders {
 public:
  KeyOrders(const HistoryHeader& header, const Holds& holds, const Story& story);

  // Calls of a client, and the answers to them.
  void called(const Event& event) {
    if (looks_at(event)) invoked(event);
  }
  void answered(const Event& event) {
    if (looks_at(event)) completed(event);
  }
  void left(const Event& event) {
    if (looks_at(event)) given_up(event);
  }
  void killed(const Event& event);
  void doubt(std::uint32_t key);
  // The process called this though it must not say anything more: what had no answer may take effect on it.
  void goes_on(const Event& event);
  // At the end. Verdicts are of the properties that apply; of a history that is violated already nothing is tried.
  bool try_doubted(const std::vector<PropertyVerdict>& verdicts);  // true if all doubted pieces could be tried
  void settle(const Names& names, std::vector<PropertyVerdict>& verdicts) const;

 private:
  // Nearly all pieces are forgotten, so what has no answer yet is kept apart: it stays where it is when one is.
  struct Key {
    Searched open;      // operations that have no answer yet, in no order
    Searched answered;  // by their answers
    int asked = 0;      // operations that have no answer yet, kept or not
    std::uint32_t calls = 0;
    std::int64_t called_ns = -1;  // the last call
    std::int64_t began_ns = -1;   // the piece; what was before it is forgotten
    bool lost = false;            // too many: nothing is kept until it is surely free
    bool was_lost = false;
    bool doubted = false;         // the piece is to be tried
    bool undecided = false;       // one could not be
    int unanswered_acquires = 0;  // in the piece, that may still take effect
    bool granted = false;         // since the piece began
    std::uint32_t holder = 0;     // process of the last grant
    std::int64_t granted_ns = -1;
    std::int64_t ends_ns = kNever;          // model lease: when its lease may end at the latest, had it begun late
    std::int64_t released_ns = -1;          // the call of the release that freed it; -1: it may be held
    bool releasing = false;                 // its holder has called a release
    std::optional<std::uint32_t> releaser;  // its release must be answered ok, or the piece is to be tried
    Searched impossible;                    // a piece that has no order
    Searched strays;                        // model lease: renewals without an answer
    Searched may_come;                      // unanswered operations that may take effect in later pieces
    std::size_t kept() const { return open.size() + answered.size(); }
  };
  struct Uncertain {
    std::uint32_t key = 0;
    SearchedOperation release;
  };
  Key& at(std::uint32_t key) { return keys_[key]; }
  // True if it belongs to an operation that asks for the lock or gives it back.
  bool looks_at(const Event& event) {
    if (!active_ || event.op == Op::write) return false;
    if (event.lease_ns.value_or(0) > 0) note_lease(*event.lease_ns);
    if (event.reason == Reason::deadline) given_up(event);
    return true;
  }
  void note_lease(std::int64_t lease_ns) {
    leased_ = lapses_ = true;
    shortest_ns_ = std::min(shortest_ns_, lease_ns);
  }
  bool may_be_over(const SearchedOperation& acquire) const;
  void invoked(const Event& event);
  void completed(const Event& event);
  void close(Key& key, SearchedOperation& operation, const Event& event, bool ok);
  void note(Key& key, const Event& event, bool ok);
  void granted(Key& key, const Event& event);
  void granted_lease(Key& key, const Event& event);
  static void promised(Key& key, std::uint32_t process, std::int64_t lease_ns);
  static std::int64_t end_of(std::int64_t lease_ns, std::int64_t from_ns);
  void given_back(Key& key, const Event& event, bool ok);
  void refused(Key& key, const Event& event);
  void forget_if_free(Key& key);
  bool may_be_forgotten(const Key& key) const;
  bool has_run_out(const Key& key) const;
  void begin_anew(Key& key, bool run_out);
  static const SearchedOperation* last_grant(const Key& key);
  static Searched by_calls(const Key& key);
  void try_orders(Key& key);
  void give_up(Key& key);
  void given_up(const Event& event);
  template <typename Whose>
  static void let_drop(Key& key, std::int64_t from_ns, const Whose& whose);
  static bool uncertain(const Key& key, std::uint32_t process);
  std::int64_t lease_of(const Event& event) const;
  LockRules rules() const;
  void remember(const SearchedOperation& release, std::uint32_t key);
  bool violated(const std::vector<PropertyVerdict>& verdicts) const;
  void violated_by(const Names& names, std::uint32_t key, std::vector<PropertyVerdict>& verdicts) const;

  const HistoryHeader& header_;
  const Holds& holds_;
  const Story& story_;
  bool active_;
  bool of_leases_;  // model lease: what was promised is owed
  bool reentrant_;
  bool leased_;                        // leases were seen
  bool lapses_;                        // a hold may end by itself
  std::int64_t shortest_ns_ = kNever;  // the shortest lease seen
  bool forgot_ = false;                // a release without an answer
  std::size_t kept_ = 0;
  ById<Key> keys_;
  std::unordered_map<std::uint32_t, Uncertain> uncertain_;  // by process: its last release without an answer
};

}  // namespace holdfast
