// The server's transaction lock: pg_try_advisory_xact_lock in a transaction that stays open while the lock is held;
// only its end frees the lock. So a pool that assigns sessions per transaction cannot separate the two.
#include "lock/lock.hpp"
#include "lock/transaction.hpp"

namespace holdfast {
namespace {

class PostgresAdvisoryXactLock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    return begin_transaction(session, [&] {
      const Reply r = session.execute("acquire", {{"key", claim.key}});
      return r.field(0, 0) == "t" ? Answer::granted() : Answer::busy();
    });
  }

  Answer release(Session& session, Claim&) override {
    return finish_transaction(session, [] { return Answer::done(); });
  }
};

}  // namespace

extern const LockType lock_postgres_advisory_xact_lock;
const LockType lock_postgres_advisory_xact_lock{
    .server = "postgres",
    .lease = false,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new PostgresAdvisoryXactLock); },
};

}  // namespace holdfast
