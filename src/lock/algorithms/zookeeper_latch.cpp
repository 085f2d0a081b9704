// A leader latch as in client libraries: each candidate creates a numbered ephemeral node, and the one with the
// smallest number leads. A candidate that does not win in time withdraws. It is not fenced.
//
// The leader believes for a lease after each answer of its server, as with pings, which keep a session alive and are
// answered by the client's own server. This is its flaw: a server that is cut off from the others also answers until it
// gives up its leader, and meanwhile the session has ended.
#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLatchWait_ms = 2000;
constexpr std::int64_t kLatchLook_ms = 50;

class ZooKeeperLatch : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t until_ns = session.steady_ns() + kLatchWait_ms * kMillisecond_ns;
    claim.handle.clear();
    session.execute("open", {{"session_ms", claim.lease_ms}});
    enter(session, claim);
    for (std::int64_t asked = 0; asked <= kLatchWait_ms / kLatchLook_ms && session.steady_ns() <= until_ns; ++asked) {
      const std::int64_t asked_ns = session.steady_ns();
      const Reply queue = session.execute("queue", {{"key", claim.key}});
      if (!queue.rows.empty() && claim.handle.ends_with("/" + queue.text(0, 0))) return lead(claim, asked_ns);
      session.sleep_ms(kLatchLook_ms);
    }
    resign(session, claim);
    return Answer::busy();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.steady_ns();
    const Reply there = session.attempt("renew", {{"path", claim.handle}});
    return there.rows.empty() ? Answer::not_held() : lead(claim, asked_ns);
  }

  Answer release(Session& session, Claim& claim) override {
    if (claim.handle.empty()) return Answer::not_held();
    return resign(session, claim) ? Answer::done() : Answer::not_held();
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
  }

  static Answer lead(Claim& claim, std::int64_t since_ns) {
    claim.deadline_ns = since_ns + claim.lease_ms * kMillisecond_ns;
    return Answer::granted();
  }

  static bool resign(Session& session, const Claim& claim) {
    return session.attempt("resign", {{"path", claim.handle}}).affected > 0;
  }
};

}  // namespace

extern const LockType lock_zookeeper_latch;
const LockType lock_zookeeper_latch{
    .server = "zookeeper",
    .renews = true,
    .waits = true,
    .waits_ms = kLatchWait_ms,
    .guard_ms = 1000,  // as zookeeper_ephemeral
    .make = [] { return std::unique_ptr<Lock>(new ZooKeeperLatch); },
};

}  // namespace holdfast
