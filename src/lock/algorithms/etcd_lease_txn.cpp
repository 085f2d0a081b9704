// The reference on etcd: a key attached to a lease, created in a transaction only if it does not exist (its
// create_revision is 0), and fenced by the revision that created it.
//
// Why two valid leases of a key cannot overlap:
//  1. All writes of the service have one order, that of their revisions, whichever server receives them. A
//     transaction compares and writes at one revision, so of two that find no key the later finds the earlier's.
//  2. The key is removed when its lease is over, which only the leader decides, by a write like any other; or by a
//     release that compares the revision that created it, so no client frees another's lock.
//  3. The lease is granted before the key is attached to it, and its time is measured by the leader's monotonic
//     clock from its grant or last keep-alive; a new leader restarts it. So it ends no earlier than the client's
//     deadline, which is measured on its own steady clock from before the request was sent.
//  4. Revisions rise with each write and are never used twice, so a later grant has a larger token.
// No wall clock is used. Assumption: the monotonic clocks of servers and clients run at the same rate. A holder stopped
// beyond its lease still believes (no lease can prevent this): the resource refuses its token.
//
// A transaction without an answer may have created the key. A client that gives up revokes the lease, which also
// removes the key if it exists.
#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class EtcdLeaseTxn : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    claim.token = 0;  // until the revision is known, a release can only revoke the whole lease
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
    .guard_ms = 1000,  // the leader checks for expired leases twice a second, and grants none below two seconds
    .make = [] { return std::unique_ptr<Lock>(new EtcdLeaseTxn); },
};

}  // namespace holdfast
