// For recorded histories only: a row is the lock and nothing ever ends it but its owner. A holder that dies leaves it
// locked for ever, which `progress` must see.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class RowWithoutLease : public Lock {
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}});
    if (r.duplicate_key()) return Answer::busy();
    if (r.conflict()) return Answer::conflict();
    expect_ok("acquire", r);
    return Answer::granted();
  }
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_row_without_lease;
const LockType lock_row_without_lease{
    .about = "a row is the lock, without a lease",
    .lease = false,
    .make = [] { return std::unique_ptr<Lock>(new RowWithoutLease); },
};

}  // namespace holdfast
