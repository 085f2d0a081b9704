// The reference: a lease with a fencing token, judged by the server's clock, that is right in both connection modes.
//
// Why two valid leases of a key cannot overlap while the clocks of server and clients run at the same rate:
//  1. All that changes a row is one statement, so InnoDB's row lock puts the changes of a row in one order, and each
//     decides on the values the one before left behind.
//  2. An acquire takes the row only if it has no owner or `expires_at` <= its own time n, which is the server's time at
//     the moment its statement *began*. It writes expires_at = n + lease.
//  3. The client counts its deadline from a moment s before it sent the statement, on its steady clock, so the deadline
//     is at s + lease <= n + lease = expires_at: its belief, if it looks, ends before the row's does.
//  4. A later acquire or renewal of anyone else's needs a time n' >= expires_at. A statement that had to wait for the
//  row
//     carries an *older* n', so waiting makes it refuse more, never less. A grant that arrives after its own deadline
//     is not used (`uncertain`).
//  5. Release and renewal are guarded by owner and token; the token rises with each grant, because the row is never
//     deleted: a release clears the owner only.
// So under delays, lost replies, partitions, crashes and wrong *client* clocks, lease exclusion, fencing and ownership
// hold. A client that is stopped past its lease still believes (no lease can help it): the resource refuses its token.
// What it leans on: the server's clock runs forward at the clients' rate, and a commit is durable. A forward jump of
// the server's clock ends leases early.
// Lost commits (a kill without durability, a failover to a replica that is behind) take leases and tokens back to what
// the server still knows: two leases of a key may then overlap, and tokens repeat or fall. What is still promised: the
// resource accepts no token after a larger one. So while the new tokens are smaller than what it has seen, it refuses
// them and goes on with the old holder; only a token that is given a second time while its first holder works lets two
// write.
//
// The affected rows alone do not decide, since an unchanged row counts 0 or 1 depending on the connection's mode: the
// row's owner does, read back.
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
