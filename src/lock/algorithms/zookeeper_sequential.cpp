// The reference on ZooKeeper: its own recipe, a queue of numbered ephemeral nodes whose first has the lock; fenced by
// its node's czxid, the number of the write that created it.
//
// Why two valid leases of a key cannot overlap:
//  1. All writes of the service have one order, whichever server receives them, and a node's number and czxid rise
//     in it. A server answers a client from a state that includes the client's own writes; so a client that finds its
//     node first knows that all earlier ones are gone, however old that state is.
//  2. A node is removed by a delete of its own name, which no other client has, or when the leader ends its session.
//  3. A session is opened for each attempt, half as long again as the lease. The leader measures it by its monotonic
//     clock from the last message of the session. A message to a follower reaches the leader with the answer to its
//     next ping, each half tick (LearnerHandler; forwarded requests do not count), or never, if the follower is cut off
//     meanwhile. So a renewal is a write, which the leader itself has to order: its answer proves that the *previous*
//     renewal was received. From there the session lasts one and a half leases. The deadline is a lease from now, and
//     at most half a lease later than before.
//  4. A new leader restarts all sessions (SessionTrackerImpl), so it ends none early.
// No wall clock is used. Assumption: the monotonic clocks of servers and clients run at the same rate. A holder stopped
// beyond its lease still believes (no lease can prevent this): the resource refuses its token.
//
// A create without an answer may have created a node. It is removed with its session, which is not used any more.
#include <algorithm>

#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kQueueWait_ms = 2000;
constexpr std::int64_t kQueueLook_ms = 50;

class ZooKeeperSequential : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t until_ns = session.steady_ns() + kQueueWait_ms * kMillisecond_ns;
    claim.handle.clear();
    claim.deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    session.execute("open", {{"session_ms", claim.lease_ms * 3 / 2}});
    enter(session, claim);
    std::int64_t kept_ns = session.steady_ns();
    for (std::int64_t asked = 0; asked <= kQueueWait_ms / kQueueLook_ms && session.steady_ns() <= until_ns; ++asked) {
      const bool first = is_first(session, claim);
      if (first || session.steady_ns() - kept_ns > claim.lease_ms * kMillisecond_ns / 3) {
        kept_ns = session.steady_ns();
        if (!keep(session, claim)) return Answer::busy();
      }
      if (first) return still_held(session, claim) ? Answer::granted(claim.token) : Answer::uncertain();
      session.sleep_ms(kQueueLook_ms);
    }
    session.execute("withdraw", {{"path", claim.handle}});
    return Answer::busy();
  }

  Answer renew(Session& session, Claim& claim) override {
    return keep(session, claim) ? Answer::done() : Answer::not_held();
  }

  Answer release(Session& session, Claim& claim) override {
    if (claim.handle.empty()) return Answer::not_held();
    const Reply freed = session.attempt("release", {{"path", claim.handle}});
    return freed.affected > 0 ? Answer::done() : Answer::not_held();
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }

 private:
  static void enter(Session& session, Claim& claim) {
    Reply entered = session.attempt("enter", {{"key", claim.key}, {"owner", claim.owner}});
    if (entered.kind == ErrorKind::unknown) {  // the very first attempt for this key
      session.attempt("make", {{"key", claim.key}});
      entered = session.attempt("enter", {{"key", claim.key}, {"owner", claim.owner}});
    }
    expect_ok("enter", entered);
    claim.handle = entered.text(0, 0);
    claim.token = entered.count(0, 1);
  }

  static bool is_first(Session& session, const Claim& claim) {
    const Reply queue = session.execute("queue", {{"key", claim.key}});
    return !queue.rows.empty() && claim.handle.ends_with("/" + queue.text(0, 0));
  }

  // After the end of its session there is no node to set.
  static bool keep(Session& session, Claim& claim) {
    const std::int64_t lease_ns = claim.lease_ms * kMillisecond_ns;
    const std::int64_t deadline_ns = std::min(session.steady_ns() + lease_ns, claim.deadline_ns + lease_ns / 2);
    const Reply kept = session.attempt("renew", {{"path", claim.handle}, {"owner", claim.owner}});
    if (kept.affected == 0) return false;
    claim.deadline_ns = deadline_ns;
    return true;
  }
};

}  // namespace

extern const LockType lock_zookeeper_sequential;
const LockType lock_zookeeper_sequential{
    .server = "zookeeper",
    .renews = true,
    .fenced = true,
    .waits = true,
    .waits_ms = kQueueWait_ms,
    .guard_ms = 2500,  // a session of one and a half leases (up to 4 s), plus the rest of a tick
    .make = [] { return std::unique_ptr<Lock>(new ZooKeeperSequential); },
};

}  // namespace holdfast
