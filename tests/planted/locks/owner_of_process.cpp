// Bug: the owner is the process, address and number, and not the thread or the grant. Two threads of one process that
// share the lock are one owner to it: the second is let in as if it took its own lock again. Story: thread 1 of A
// acquires, thread 2 of A acquires: both hold. No fault. Seen by the generated suite with two threads a process
// (lease_exclusion:algorithm). Explore's clients are a thread each; it sees the other half of it, that a release or
// renewal which arrives late, of an earlier grant, is taken for one of the present (foreign_release, foreign_renew).
#include <unistd.h>

#include "tests/planted/reentrant_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class OwnerOfProcess : public planted::ReentrantRow {
 protected:
  std::string owner(Session& session, const Claim&) const override {
    return session.address() + ":" + std::to_string(::getpid());
  }
};

}  // namespace

extern const LockType lock_owner_of_process;
const LockType lock_owner_of_process{.server = "mysql",
                                     .statements = "reentrant_row",
                                     .renews = true,
                                     .reentrant = true,
                                     .make = planted::make<OwnerOfProcess>};

}  // namespace holdfast
