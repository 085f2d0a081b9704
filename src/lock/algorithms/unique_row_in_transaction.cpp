// Document 002, the purpose of its locking read: unique_row with the read and the insert in one transaction, which ends
// with the attempt. While no row exists, under REPEATABLE READ, both of two readers get the gap lock, and each insert
// then waits for the other's: one of them ends as a deadlock's victim.
#include "lock/transaction.hpp"
#include "lock/unique_row.hpp"

namespace holdfast {
namespace {

class UniqueRowInTransaction : public UniqueRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    return in_transaction(session, [&] { return UniqueRow::acquire(session, claim); });
  }
};

}  // namespace

extern const LockType lock_unique_row_in_transaction;
const LockType lock_unique_row_in_transaction{
    .server = "mysql",
    .lease = false,
    .make = [] { return std::unique_ptr<Lock>(new UniqueRowInTransaction); },
};

}  // namespace holdfast
