// Bug: the client's deadline is a time of its wall clock. When that clock is set back while it holds the lock (a
// correction by NTP, an administrator), it believes longer than its lease lasts. Story: A acquires, A's clock is set
// back by more than the lease, the lease ends, B acquires, A looks at its clock: "still held", and writes. Seen by the
// generated suite (a step of the wall clock in mid-hold, mutual_exclusion:client_skew) and by explore (false_look,
// A!behind after the grant).
#include "artifact/units.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class DeadlineWallClock : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.now_ns();
    const Answer answer = RowLease::acquire(session, claim);
    if (answer.type != EventType::ok) return answer;
    claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    return still_held(session, claim) ? answer : Answer::uncertain();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.now_ns();
    const Answer answer = RowLease::renew(session, claim);
    if (answer.type == EventType::ok) claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    return answer;
  }

  bool still_held(Session& session, const Claim& claim) override { return session.now_ns() < claim.deadline_ns; }
};

}  // namespace

extern const LockType lock_deadline_wall_clock;
const LockType lock_deadline_wall_clock{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<DeadlineWallClock>};

}  // namespace holdfast
