// The reference on etcd: a key that hangs on a lease, made in a transaction only if it is not there (its
// create_revision is 0), and fenced by the revision that made it.
//
// Why two valid leases of a key cannot overlap:
//  1. All writes of the service have one order, that of their revisions, whichever server they are sent to. A
//     transaction compares and writes at one revision, so of two that find no key the later finds the earlier's.
//  2. The key goes when its lease is over, which only the leader says, in a write like any other; and by a release that
//     compares the revision that made it, so nobody frees what another holds.
//  3. The lease is granted before the key is put on it, and its time is counted by the leader's monotonic clock from
//     when it was granted or last kept alive; a new leader counts it from the beginning. So it ends no earlier than the
//     client's deadline, which is counted on its own steady clock from before the request was sent.
//  4. Revisions rise with each write and are never used twice, so a later grant has a larger token.
// A wall clock is used nowhere. What it leans on: the monotonic clocks of servers and clients run at the same rate. A
// holder that is stopped past its lease still believes (no lease can help it): the resource refuses its token.
//
// A transaction without an answer may have made the key. Whoever gives up then revokes the lease, which takes the key
// with it, whether it is there or not.
#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class EtcdLeaseTxn : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    claim.token = 0;  // until it is known, a release can only take the whole lease away
    const Reply there = session.execute("look", {{"key", claim.key}});
    if (!there.rows.empty()) return Answer::busy();
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    claim.handle = session.execute("grant", {{"ttl_s", claim.lease_ms / 1000}}).text(0, 0);
    const Reply made =
        session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"lease", claim.handle}});
    if (made.affected == 0) return Answer::busy();
    claim.token = made.count(0, 0);
    claim.deadline_ns = deadline_ns;
    if (!still_held(session, claim)) return Answer::uncertain();
    return Answer::granted(claim.token);
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    const Reply kept = session.execute("renew", {{"lease", claim.handle}});
    if (kept.rows.empty()) return Answer::not_held();
    claim.deadline_ns = deadline_ns;
    return Answer::done();
  }

  Answer release(Session& session, Claim& claim) override {
    if (claim.token == 0) return give_up(session, claim);
    const Reply freed = session.execute("release", {{"key", claim.key}, {"token", claim.token}});
    return freed.affected > 0 ? Answer::done() : Answer::not_held();
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }

 private:
  static Answer give_up(Session& session, const Claim& claim) {
    if (claim.handle.empty()) return Answer::not_held();
    return session.attempt("revoke", {{"lease", claim.handle}}).ok() ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_etcd_lease_txn;
const LockType lock_etcd_lease_txn{
    .server = "etcd",
    .renews = true,
    .fenced = true,
    .whole_seconds = true,
    .guard_ms = 1000,  // the leader looks for leases that are over twice a second; and grants none below two seconds
    .make = [] { return std::unique_ptr<Lock>(new EtcdLeaseTxn); },
};

}  // namespace holdfast
