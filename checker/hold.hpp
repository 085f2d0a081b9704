// A hold: one grant of a key to a process, from the return of its acquire to whatever ended the belief in it.
//
// Two spans matter, and they are different: *belief* [granted, ended) is when the process acts as holder; *validity* is
// when the lock promised it to be alone, from the send of the acquire (or of a renewal, once that has answered) for a
// lease. All spans are half open, so that a grant at the very end of the one before overlaps nothing. Times in ns.
//
// It does not show that the lock really was held, only what the holder was answered and believed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "history/event.hpp"

namespace holdfast {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

struct Window {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};

enum class HoldEnd : std::uint8_t { none, release, not_held, deadline, leave, killed };

// True if only the holder knows the end: the lock may still be its own for as long as it was promised.
inline bool without_lock(HoldEnd end) {
  return end == HoldEnd::leave || end == HoldEnd::deadline;
}

// Times are at most 4 x 10^18 ns, and so are leases; their sum may have been pushed on before.
inline std::int64_t later_by(std::int64_t time_ns, std::int64_t lease_ns) {
  return time_ns > kNever - lease_ns ? kNever : time_ns + lease_ns;
}

// When what was promised at `sent_ns` ends; a lease of 0 does not.
inline std::int64_t promised_to(std::int64_t sent_ns, std::int64_t lease_ns) {
  return lease_ns == 0 ? kNever : later_by(sent_ns, lease_ns);
}

// The certain length of a lease when a renewal for `stray_ns` may still take effect at any time; kNever: none may.
inline std::int64_t at_least(std::int64_t lease_ns, std::int64_t stray_ns) {
  if (stray_ns == kNever) return lease_ns;
  return lease_ns == 0 ? stray_ns : std::min(lease_ns, stray_ns);
}

struct Hold {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  std::uint64_t number = 0;  // number of the acquire, as the client counts
  std::int64_t sent_ns = 0;
  std::int64_t granted_ns = 0;
  std::int64_t granted_again_ns = -1;  // the last grant to its own holder; -1: none
  std::int64_t ended_ns = kNever;
  HoldEnd end = HoldEnd::none;
  std::uint64_t invoke_index = 0;
  std::uint64_t grant_index = 0;
  std::uint64_t end_index = 0;
  // last event that extended the promise: a renewal, or a grant to its own holder
  std::uint64_t renew_invoke_index = 0;
  std::uint64_t renew_index = 0;  // 0: nothing did
  std::int64_t resumed_ns = -1;   // foreign histories: when it called a release that surely had no effect; -1: never
  std::optional<std::uint64_t> token;
  std::int64_t lease_ns = 0;           // 0: no lease; validity has no end
  std::int64_t first_valid_to_ns = 0;  // validity of the grant itself, before any renewal
  std::int64_t turn_from_ns = 0;       // of a waiter: when the last holder before it let go; otherwise as it asked
  std::int64_t turn_by_ns = 0;         // when its turn had come at the latest; without a wait: as it asked
  Window valid;                        // the validity promised last
  std::int64_t uncut_to_ns = 0;    // ... to this, if the renewal that is open turns out not to be for less; 0: none is
  std::vector<Window> lapsed;      // earlier ones that had lapsed before the next renewal answered; nearly always none
  std::int64_t stray_ns = kNever;  // the shortest lease for which its process asked to renew it and had no answer
  std::int64_t another_ns = -1;    // own runs: when another was first granted it while it was believed; -1: never
  std::int64_t called_ns = -1;     // ... and when its holder first renewed or wrote after that: it cannot learn it then
  int refused_writes = 0;          // writes of its holder that the resource refused
  std::int64_t renewed_ns = -1;    // when its last renewal was answered ok; -1: none was
  bool shared = false;             // granted to a reader, which excludes no other
  bool found_nothing = false;      // its acquire's statements were answered, and found and changed no row
  bool unasked = false;            // a scheduler's job: `sent_ns` is when its client began to wait for one, or took it
  int depth = 1;                   // reentrant locks: grants inside this one, itself included

  std::int64_t last_granted_ns() const { return std::max(granted_ns, granted_again_ns); }
  bool believed() const { return end == HoldEnd::none; }
  // The answer was so late that its lease, counted from the request, had already run out. The delay of a job's start
  // notice is unknown.
  bool late() const { return !unasked && first_valid_to_ns <= granted_ns; }
  // However late its turn came.
  bool surely_late() const { return last_first_to_ns() <= granted_ns; }
  std::int64_t last_first_to_ns() const {
    return first_valid_to_ns == kNever ? kNever : later_by(first_valid_to_ns, turn_by_ns - sent_ns);
  }

  // In one span that began before it, without a gap.
  bool valid_throughout(const Window& time) const {
    const auto spans = [&](const Window& w) { return w.from_ns < time.from_ns && time.to_ns < w.to_ns; };
    return spans(valid) || std::any_of(lapsed.begin(), lapsed.end(), spans);
  }
  bool valid_at(std::int64_t time_ns) const {
    if (valid.from_ns <= time_ns && time_ns < valid.to_ns) return true;
    for (const Window& w : lapsed) {
      if (w.from_ns <= time_ns && time_ns < w.to_ns) return true;
    }
    return false;
  }
  // Without a gap since it was asked for; the time may lie before the grant's answer.
  bool valid_all_along(std::int64_t time_ns) const {
    const auto spans = [&](const Window& w) { return w.from_ns == sent_ns && time_ns < w.to_ns; };
    return spans(valid) || std::any_of(lapsed.begin(), lapsed.end(), spans);
  }
};

// Readers do not exclude each other.
inline bool both_shared(const Hold& a, const Hold& b) {
  return a.shared && b.shared;
}

// True if a lock that excludes served `first` before `second`, whichever was answered first. Both believe at one time.
// If the lease of `second` had begun before `first` was answered, it still ran then: so it had not begun. If each lease
// still ran when the other was answered, neither can have been first: the lock did not exclude.
inline bool served_before(const Hold& first, const Hold& second) {
  const bool again = first.granted_again_ns >= 0 || second.granted_again_ns >= 0;
  const bool over = first.sent_ns <= second.granted_ns && !first.valid_at(second.granted_ns);
  return !again && !first.unasked && over && second.valid_all_along(first.granted_ns);
}

// Adds the events of a hold for witnesses, including the last one that extended its promise.
inline void add_indices(std::vector<std::uint64_t>& indices, const Hold& hold) {
  indices.insert(indices.end(), {hold.invoke_index, hold.grant_index, hold.end_index});
  if (hold.renew_index > 0) indices.insert(indices.end(), {hold.renew_invoke_index, hold.renew_index});
}

// True if an operation took effect: it answered ok, and its statements, where recorded, changed something. An answer of
// ok that did nothing is harmless. Also when it took effect, as far as known.
inline bool changed_something(const Event& event) {
  return std::any_of(event.statements.begin(), event.statements.end(), [](const auto& s) { return s.rows > 0; });
}

inline bool statements_took_effect(const Event& event) {
  const auto answered = [](const Statement& s) { return s.rows >= 0; };
  return changed_something(event) || !std::any_of(event.statements.begin(), event.statements.end(), answered);
}

inline bool took_effect(const Event& event) {
  return event.type == EventType::ok && (event.statements.empty() || statements_took_effect(event));
}

inline bool found_nothing(const Event& event) {
  const auto without_rows = [](const auto& s) { return s.rows == 0 && s.error == 0; };
  return !event.statements.empty() && std::all_of(event.statements.begin(), event.statements.end(), without_rows);
}

// The time in which an operation that took effect surely did so: from the call of its first statement to the answer of
// its last. A client may have stood still before and after, and the lock gone from hand to hand meanwhile.
//
// Returns the whole operation if the moment is unknown: without statements; with one that got no answer, which may act
// later; and with one that found nothing beside others, since rows also count those of a read. If an update leaves its
// row unchanged and a look at the token follows, only the look has rows, and it changed nothing.
inline Window acted_within(const Event& event, std::int64_t invoked_ns) {
  const Window whole{invoked_ns, event.time_ns};
  if (event.statements.empty()) return whole;
  Window acted{event.time_ns, invoked_ns};
  for (const Statement& s : event.statements) {
    const bool inside = whole.from_ns <= s.call_ns && s.call_ns <= s.return_ns && s.return_ns <= whole.to_ns;
    if (s.rows <= 0 || !inside) return whole;
    acted = {std::min(acted.from_ns, s.call_ns), std::max(acted.to_ns, s.return_ns)};
  }
  return acted;
}

}  // namespace holdfast
