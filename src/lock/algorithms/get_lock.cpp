// For comparison: the server's own session lock, GET_LOCK and RELEASE_LOCK, without waiting. It has no lease: it lasts
// as long as the connection, and its loss with the connection is silent.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class GetLock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.execute("acquire", {{"key", claim.key}});
    return r.field(0, 0) == "1" ? Answer::granted() : Answer::busy();
  }

  // 1: freed. 0: another session holds it. NULL: no session holds it.
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}});
    return r.field(0, 0) == "1" ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_get_lock;
const LockType lock_get_lock{
    .server = "mysql",
    .lease = false,
    .make = [] { return std::unique_ptr<Lock>(new GetLock); },
};

}  // namespace holdfast
