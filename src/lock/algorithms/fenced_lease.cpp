// The reference: a lease with a fencing token on the server's clock, correct in both connection modes.
//
// Why two valid leases of a key cannot overlap while the clocks of server and clients run at the same rate:
//  1. Every change of a row is one statement, so InnoDB's row lock orders the changes of a row, and each decides on
//     the values left by the one before.
//  2. An acquire takes the row only if it has no owner or `expires_at` <= its own time n, which is the server's time
//     when its statement *began*. It writes expires_at = n + lease.
//  3. The client counts its deadline from a time s before it sent the statement, on its steady clock, so the deadline
//     is at s + lease <= n + lease = expires_at: its belief, if it checks, ends before the row's expiry.
//  4. A later acquire by another client needs a time n' >= expires_at. A statement that had to wait for the row has
//     an *older* n', so waiting makes it refuse more, never less. A grant that arrives after its own deadline is not
//     used (`uncertain`).
//  5. Release and renewal are guarded by owner and token; the token rises with each grant, because the row is never
//     deleted: a release only clears the owner.
// So under delays, lost replies, partitions, crashes and wrong *client* clocks, lease exclusion, fencing and ownership
// hold. A client stopped beyond its lease still believes (no lease can prevent this): the resource refuses its token.
// Assumptions: the server's clock runs forward at the clients' rate, and a commit is durable. A forward jump of the
// server's clock ends leases early. Lost commits (a kill without durability, a failover to a replica that lags behind)
// reset leases and tokens to what the server still knows: two leases of a key may then overlap, and tokens repeat or
// fall. The resource still accepts no token after a larger one. While new tokens are smaller than the largest one it
// has seen, it refuses them and accepts the old holder; two clients can write only if a token is granted a second time
// while its first holder still works.
//
// The affected rows alone are not sufficient, since an unchanged row counts as 0 or 1 depending on the connection's
// mode: the row's owner is read back.
#include "artifact/units.hpp"
#include "lock/fenced_row.hpp"

namespace holdfast {
namespace {

class FencedLease : public FencedRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    const Reply taken =
        session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", claim.lease_ms * 1000}});
    if (taken.conflict()) return Answer::conflict();
    expect_ok("acquire", taken);
    if (taken.affected == 0) return Answer::busy();
    const Reply mine = session.attempt("token", {{"key", claim.key}, {"owner", claim.owner}});
    if (!mine.ok()) return Answer::uncertain();
    if (mine.rows.empty()) return Answer::busy();
    return granted(session, claim, mine.count(0, 0), deadline_ns);
  }
};

}  // namespace

extern const LockType lock_fenced_lease;
const LockType lock_fenced_lease{
    .server = "mysql",
    .renews = true,
    .fenced = true,
    .make = [] { return std::unique_ptr<Lock>(new FencedLease); },
};

}  // namespace holdfast
