// Bug: the client counts its deadline from the answer and not from before it asked. When the answer is on its way for
// long, the deadline lies after the row's expiry: the client looks, finds itself in time, and works while another holds
// the lock. Story: A's row is written, its answer takes longer, the row expires, B acquires, A looks: "still held".
// Seen by explore (false_look, time passing between row and answer) and by the generated suite (a pause after the
// statement, mutual_exclusion).
#include "artifact/units.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class DeadlineFromReply : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Answer answer = RowLease::acquire(session, claim);
    claim.deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    return answer;
  }

  Answer renew(Session& session, Claim& claim) override {
    const Answer answer = RowLease::renew(session, claim);
    if (answer.type == EventType::ok) claim.deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    return answer;
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }
};

}  // namespace

extern const LockType lock_deadline_from_reply;
const LockType lock_deadline_from_reply{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<DeadlineFromReply>};

}  // namespace holdfast
