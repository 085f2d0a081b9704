// Sound: row_lease, and the client looks at a deadline of its own, which it counts on its steady clock from before it
// asked: so it ends before the row's expiry does. A grant that comes after its deadline is not used.
#include "artifact/units.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RowDeadline : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.steady_ns();
    const Answer answer = RowLease::acquire(session, claim);
    if (answer.type != EventType::ok) return answer;
    claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    return still_held(session, claim) ? answer : Answer::uncertain();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.steady_ns();
    const Answer answer = RowLease::renew(session, claim);
    if (answer.type == EventType::ok) claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    return answer;
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }
};

}  // namespace

extern const LockType lock_row_deadline;
const LockType lock_row_deadline{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<RowDeadline>};

}  // namespace holdfast
