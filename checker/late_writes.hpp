// Judges the writes to a protected resource: whose grants overlapped, and which writes came after their holder's time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/holds.hpp"
#include "checker/overlap.hpp"
#include "history/event.hpp"

namespace holdfast {

// The grants of a history by client and number, and which of them overlapped: what is needed to judge writes that are
// only known at the end.
//
// If two grants overlapped, the one that was answered last may have been served first (hold.hpp: served_before).
//
// Memory: 32 bytes a grant, so it does grow with the history; kept only where a resource is judged, which is in runs of
// our own, not in large foreign histories. Overlaps are kept up to a bound.
class GrantRegister {
 public:
  struct Grant {
    std::uint32_t number = 0;
    std::uint32_t index = 0;
    std::int64_t sent_ns = 0;
    std::int64_t granted_ns = 0;
    std::int64_t ended_ns = kNever;
  };
  void add(const Hold& hold);
  void end(const Hold& hold);  // the belief in it
  void add(const Overlap& overlap, OverlapKind kind);

  const Grant* find(std::uint32_t client, std::uint64_t number) const;
  // The reason why two grants overlapped; null if they did not.
  const OverlapKind* overlap(std::uint32_t client_a, std::uint64_t number_a, std::uint32_t client_b,
                             std::uint64_t number_b) const;
  // True if the leases of two that overlapped show that the first was served before the other.
  bool served_before(std::uint32_t client_a, std::uint64_t number_a, std::uint32_t client_b,
                     std::uint64_t number_b) const;

 private:
  using Id = std::pair<std::uint32_t, std::uint64_t>;
  std::vector<std::vector<Grant>> grants_;  // by client, numbers ascending
  std::map<std::pair<Id, Id>, OverlapKind> overlaps_;
  std::set<std::pair<Id, Id>> in_turn_;  // of overlaps: served first, served second
};

struct SentWrite {
  std::int64_t sent_ns = 0;
  std::int64_t accepted_ns = kNever;  // the answer that says so; kNever: none came
  std::uint64_t index = 0;            // index of the invocation
  bool by_holder = false;
};

// Writes that were sent by a rightful holder and took effect after its hold: damage that no lock can prevent, since the
// lock did all that it promised and the write was on its way when the next one was let in.
//
//   LateWrites late;
//   late.event(event, holds);   // every event, so that it knows when each write was sent and answered
//   if (const auto* sent = late.find(client, number, earlier, later)) ...   // the write of `earlier` was late
//
// Evidence, all of it in the history: (1) the write was sent while its client believed to hold the lock under that
// grant and inside the validity promised; (2) that belief had ended when the later grant returned; (3) by then the
// write had not been answered as accepted. The caller adds (4): it took effect after the later holder had looked at the
// data, or had written it.
//
// It reports nothing about a write that was sent after the lease had run out, or without a hold: that is a late writer,
// not a late write. Memory: one entry per write.
class LateWrites {
 public:
  void event(const Event& event, const Holds& holds);
  // The write that is the client's operation `number`; null: it is in no journal.
  const SentWrite* sent(std::uint32_t client, std::uint64_t number) const;
  // The same, if it was late; null: it was not, or that is unknown.
  const SentWrite* find(std::uint32_t client, std::uint64_t number, const GrantRegister::Grant& earlier,
                        const GrantRegister::Grant& later) const;

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, SentWrite> sent_;
};

}  // namespace holdfast
