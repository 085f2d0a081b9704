// Document 004: one INSERT ... ON DUPLICATE KEY UPDATE on the server's clock; the affected rows decide. Unlock deletes
// by name, without the owner. Correct with changed rows (1 new, 2 taken over, 0 unchanged); with matched rows an
// unchanged row counts as 1 as well, and every client is granted: `upsert_lease+found_rows`.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class UpsertLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.attempt("acquire", {{"key", claim.key}, {"ttl", claim.lease_ms / 1000}});
    if (r.conflict()) return Answer::conflict();
    expect_ok("acquire", r);
    return r.affected > 0 ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_upsert_lease;
const LockType lock_upsert_lease{
    .server = "mysql",
    .whole_seconds = true,
    .make = [] { return std::unique_ptr<Lock>(new UpsertLease); },
};

}  // namespace holdfast
