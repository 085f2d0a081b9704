// The server's session lock: pg_try_advisory_lock, without waiting, and pg_advisory_unlock. It has no lease: it lasts
// as long as the session, independent of transactions, and its loss with the session is silent. A name becomes a 64-bit
// number, the server's own hash of it.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class PostgresAdvisoryLock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.execute("acquire", {{"key", claim.key}});
    return r.field(0, 0) == "t" ? Answer::granted() : Answer::busy();
  }

  // "f", and a warning: this session does not hold it.
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}});
    return r.field(0, 0) == "t" ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_postgres_advisory_lock;
const LockType lock_postgres_advisory_lock{
    .server = "postgres",
    .lease = false,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new PostgresAdvisoryLock); },
};

}  // namespace holdfast
