// insert_lease without the transaction around an attempt: each statement commits by itself, at the server's own
// isolation level. The document warns of lock statements that are not committed separately; this variant, holdfast's
// own, is the other way to follow that advice.
#include "lock/expiring_row.hpp"

namespace holdfast {
namespace {

class InsertLeaseAutocommit : public ExpiringRow {
 public:
  // A conflict surely took no lock, although the preceding deletion may have removed an expired row.
  Answer acquire(Session& session, Claim& claim) override {
    try {
      return try_lock(session, claim);
    } catch (const StatementFailed& failed) {
      if (failed.definite && failed.reason == Reason::conflict) return Answer::conflict();
      throw;
    }
  }
};

}  // namespace

extern const LockType lock_insert_lease_autocommit;
const LockType lock_insert_lease_autocommit{
    .server = "mysql",
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseAutocommit); },
};

}  // namespace holdfast
