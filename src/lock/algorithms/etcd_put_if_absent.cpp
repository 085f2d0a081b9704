// A common implementation: put if absent, with a lease for dead holders. The release deletes the key, whichever client
// holds it by then, and nothing is renewed.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class EtcdPutIfAbsent : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    claim.handle = session.execute("grant", {{"ttl_s", claim.lease_ms / 1000}}).text(0, 0);
    const Reply made =
        session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"lease", claim.handle}});
    return made.affected > 0 ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply deleted = session.execute("release", {{"key", claim.key}});
    return deleted.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_etcd_put_if_absent;
const LockType lock_etcd_put_if_absent{
    .server = "etcd",
    .whole_seconds = true,
    .guard_ms = 1000,  // as etcd_lease_txn
    .make = [] { return std::unique_ptr<Lock>(new EtcdPutIfAbsent); },
};

}  // namespace holdfast
