// A common implementation: an ephemeral node with a fixed name; the client that creates it holds the lock. The program
// ignores its session's events, and sends nothing while it holds. If its session has ended, it opens another and asks
// again, as client libraries do by themselves; so its release deletes the node, whichever client created it.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class ZooKeeperEphemeral : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply made = in_session(session, claim, "acquire", {{"key", claim.key}, {"owner", claim.owner}});
    if (made.duplicate_key()) return Answer::busy();
    expect_ok("acquire", made);
    return Answer::granted();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply deleted = in_session(session, claim, "release", {{"key", claim.key}});
    expect_ok("release", deleted);
    return deleted.affected > 0 ? Answer::done() : Answer::not_held();
  }

 private:
  static Reply in_session(Session& session, const Claim& claim, std::string_view statement, Params params) {
    Reply reply = session.attempt(statement, params);
    if (reply.kind != ErrorKind::unavailable) return reply;
    session.execute("open", {{"session_ms", claim.lease_ms}});
    return session.attempt(statement, params);
  }
};

}  // namespace

extern const LockType lock_zookeeper_ephemeral;
const LockType lock_zookeeper_ephemeral{
    .server = "zookeeper",
    // a session ends at the end of a tick, half a second; an earlier one of the client may still exist
    .guard_ms = 1000,
    .make = [] { return std::unique_ptr<Lock>(new ZooKeeperEphemeral); },
};

}  // namespace holdfast
