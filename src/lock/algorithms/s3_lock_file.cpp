// A lock file, as programs often keep it in a store: created if absent, deleted at the release, and without an expiry.
// The client library repeats a write that got no answer. If the first one had been executed, the second is refused by
// its own object, and the program takes this for another client's lock.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class S3LockFile : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply made = create_with_retry(session, claim);
    return made.rows.empty() ? Answer::busy() : Answer::granted();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply there = session.execute("look", {{"key", claim.key}});
    if (there.rows.empty() || there.text(0, 0) != claim.owner) return Answer::not_held();
    session.execute("release", {{"key", claim.key}});
    return Answer::done();
  }

 private:
  static Reply create_with_retry(Session& session, const Claim& claim) {
    try {
      return session.execute("create", {{"key", claim.key}, {"owner", claim.owner}});
    } catch (const StatementFailed& failed) {
      if (failed.definite) throw;
      return session.execute("create", {{"key", claim.key}, {"owner", claim.owner}});
    }
  }
};

}  // namespace

extern const LockType lock_s3_lock_file;
const LockType lock_s3_lock_file{
    .server = "s3",
    .lease = false,
    .make = [] { return std::unique_ptr<Lock>(new S3LockFile); },
};

}  // namespace holdfast
