// Bug: the owner of the last attempt is kept in the lock object, and renewal and release use that one. When another
// thread that shares the object is refused in the meantime, the holder releases with the other's name: nothing is
// deleted, and the key stays locked until the lease is over. Story: thread 1 of A acquires, thread 2 is refused, thread
// 1 releases: not yours. No fault. Seen by the generated suite with two threads a process (ownership,
// progress:refused_free); explore's clients are a thread each.
#include <mutex>

#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class OwnerInObject : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::lock_guard guard(mutex_);
    owner_ = claim.owner;
    return RowLease::acquire(session, claim);
  }
  Answer renew(Session& session, Claim& claim) override {
    Claim mine = named(claim);
    return RowLease::renew(session, mine);
  }
  Answer release(Session& session, Claim& claim) override {
    Claim mine = named(claim);
    return RowLease::release(session, mine);
  }

 private:
  Claim named(Claim claim) {
    const std::lock_guard guard(mutex_);
    claim.owner = owner_;
    return claim;
  }
  std::mutex mutex_;
  std::string owner_;
};

}  // namespace

extern const LockType lock_owner_in_object;
const LockType lock_owner_in_object{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<OwnerInObject>};

}  // namespace holdfast
