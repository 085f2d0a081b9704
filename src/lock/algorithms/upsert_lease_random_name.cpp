// Document 004, taken literally: "the program can make a random value for lock_name". Every attempt then locks a name
// of its own, so none is ever refused, and the row of a dead client stays because it is never requested again.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class UpsertLeaseRandomName : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.attempt("acquire", {{"key", claim.owner}, {"ttl", claim.lease_ms / 1000}});
    if (r.conflict()) return Answer::conflict();
    expect_ok("acquire", r);
    return r.affected > 0 ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.owner}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_upsert_lease_random_name;
const LockType lock_upsert_lease_random_name{
    .server = "mysql",
    .statements = "upsert_lease",
    .whole_seconds = true,
    .make = [] { return std::unique_ptr<Lock>(new UpsertLeaseRandomName); },
};

}  // namespace holdfast
