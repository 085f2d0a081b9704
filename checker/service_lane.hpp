// The leases of one key as the service must have given them out: each held from a moment x inside its acquire's window
// to its end, no two at the same time.
//
//   ServiceLane lane(report);
//   lane.granted(hold);                       // in the order of the answers
//   lane.asked(process), lane.answered(event, operation);   // renewals and releases, as they are invoked and answered
//
// end(x) is the invocation of a release that answered ok (it freed what was still its own), else the earlier of a
// release's invocation and x + lease, pushed back by every renewal that answered ok to its invocation + lease.
// In the order of the answers each takes the earliest moment: x = max(invocation, end of the one before). Impossible
// iff that is later than the answer.
//
// Exact if each answer arrives before its own lease could have run out: were a grant that was answered later to come
// first, its lease would reach beyond its own answer, and so beyond the other's; hence the order of the answers is the
// only one, and in it the earliest moments are the best ones, since a later x never makes an end earlier. For a grant
// that is answered after its own lease the order is unknown; property lease_service keeps a lane without those.
//
// Not decided: a fault that involves a lease with an open renewal of unstated length; the renewal may be for less, and
// only its answer decides.
//
// A release or renewal that is still open when the next is granted keeps the lane from settling: a few holds stay in
// memory. Not covered: clocks, blame, beliefs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "checker/hold.hpp"
#include "checker/holds.hpp"

namespace holdfast {

struct ServedLease {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint64_t hold = 0;  // index of the grant that began the belief, by which its operations find it
  std::uint64_t invoke_index = 0;
  std::uint64_t grant_index = 0;
  std::uint64_t end_index = 0;
  std::int64_t sent_ns = 0;
  std::int64_t granted_ns = 0;
  std::int64_t lease_ns = 0;
  std::int64_t promised_ns = 0;  // the lease that was promised last, by the grant or a renewal
  std::int64_t renewed_to_ns = 0;
  std::int64_t cut_to_ns = kNever;  // when a renewal for less, without an answer as yet or for good, may have ended it
  std::int64_t stray_ns = kNever;   // the shortest lease of those without an answer: any promise may be cut to it
  std::uint64_t renew_invoke_index = 0;  // the renewal that prolonged it furthest; 0: none
  std::uint64_t renew_index = 0;
  std::int64_t ended_ns = kNever;  // invocation of its release, or answer of a definite not_held
  bool released_ok = false;
  bool open = false;         // a release or renewal of it has no answer yet
  bool may_be_less = false;  // ... a renewal that does not say for how long
  bool impossible = false;   // found to have no moment; what follows is judged as if it had begun when it was asked for
  std::int64_t x_ns = 0;

  std::int64_t end_ns() const;
};

// The leases push each other on until the last cannot be served any more; or the first acted (`acted_late`) after its
// lease had gone on to the last.
struct ServiceFault {
  std::vector<ServedLease> leases;
  bool acted_late = false;
  bool doubtful = false;  // unless a renewal without an answer as yet turns out to be for less
};

class ServiceLane {
 public:
  using Report = std::function<void(const ServiceFault&)>;

  static ServedLease lease_of(const Hold& hold);
  void granted(ServedLease lease, const Report& report);
  // The invocation of a renewal or release under this hold.
  void asked(std::uint64_t hold, const Event& event);
  // Its answer; `effective`: it answered ok and changed something. False when this cannot be judged any more.
  bool answered(std::uint64_t hold, const Event& event, const Operation& operation, bool effective,
                const Report& report);
  // It goes on with a lease of which nothing can be said: what is done under it from now on is not looked at.
  void forget(std::uint64_t hold);
  // True if the lease of this hold is the last one given out.
  bool newest(std::uint64_t hold) const { return !chain_.empty() && chain_.back().hold == hold; }

 private:
  struct Replaced {
    ServedLease lease;
    ServedLease by;
  };
  std::size_t index_of(std::uint64_t hold) const;
  void serve_from(std::size_t first, const Report& report);
  void settle(std::int64_t now_ns);
  void keep(const ServedLease& settled);
  std::vector<ServedLease> pushed_up_to(std::size_t last) const;
  static bool impossible(std::vector<ServedLease>& row);
  static void note(ServedLease& lease, const Event& event, const Operation& operation, bool effective);

  std::vector<ServedLease> chain_;  // nearly always one or two
  std::vector<ServedLease> past_;   // settled ones that push each other on, up to the chain: for witnesses
  std::int64_t settled_end_ns_ = 0;
  std::vector<Replaced> replaced_;  // leases that have gone on to others while their holders may still act
};

}  // namespace holdfast
