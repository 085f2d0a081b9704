// Document 003, the intention of its text: nowait_lease with the read and the insert or update in one transaction,
// which ends with the attempt; a caught error ends it by a commit, as under a framework. The release is a separate
// statement without NOWAIT, so it waits for the row lock of a concurrent attempt, and fails if that takes too long.
#include "lock/nowait_row.hpp"
#include "lock/transaction.hpp"

namespace holdfast {
namespace {

class NowaitLeaseInTransaction : public NowaitRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    return in_transaction(session, [&] { return NowaitRow::acquire(session, claim); });
  }
};

}  // namespace

extern const LockType lock_nowait_lease_in_transaction;
const LockType lock_nowait_lease_in_transaction{
    .server = "mysql",
    .make = [] { return std::unique_ptr<Lock>(new NowaitLeaseInTransaction); },
};

}  // namespace holdfast
