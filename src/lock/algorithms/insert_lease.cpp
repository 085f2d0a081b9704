// Document 000: a row is the lock. Its owner is a fresh UUID, its expiry is the server's NOW() plus the lease; a
// duplicate key is a refusal. An expired row is deleted before each attempt; each statement is a transaction of its
// own.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class InsertLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply cleaned = session.attempt("delete_expired", {{"key", claim.key}});
    if (cleaned.conflict()) return Answer::conflict();
    const Reply inserted = session.attempt(
        "acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", (claim.lease_ms + 999) / 1000}});
    if (inserted.duplicate_key()) return Answer::busy();
    if (inserted.conflict()) return Answer::conflict();
    if (!inserted.ok()) throw StatementFailed(true, Reason::other, inserted.error, inserted.message);
    return Answer::granted();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_insert_lease;
const LockType lock_insert_lease{
    .about = "a row with a UUID and the server's expiry; the expired row is deleted before each attempt",
    .document = "000",
    .make = [] { return std::unique_ptr<Lock>(new InsertLease); },
};

}  // namespace holdfast
