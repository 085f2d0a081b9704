// Document 000, the mistake behind its "independent transaction": insert_lease inside the caller's open transaction.
// The transaction begins before the attempt; a refusal ends it, a grant leaves it open during the critical section, and
// the release's delete is its last statement before the commit.
//
// So the row is never committed while it says "held". Other clients are kept out by the row lock of the open
// transaction: a second client gets no "duplicate key" but waits until its lock wait times out (here after 1 s; 50 s by
// default). The expiry is never read. The lock lasts as long as the transaction, longer than its lease or shorter, and
// is lost silently with the connection.
#include "lock/expiring_row.hpp"
#include "lock/transaction.hpp"

namespace holdfast {
namespace {

class InsertLeaseInBusinessTransaction : public ExpiringRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    return begin_transaction(session, [&] { return try_lock(session, claim); });
  }
  Answer release(Session& session, Claim& claim) override {
    return finish_transaction(session, [&] { return ExpiringRow::release(session, claim); });
  }
};

}  // namespace

extern const LockType lock_insert_lease_in_business_transaction;
const LockType lock_insert_lease_in_business_transaction{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseInBusinessTransaction); },
};

}  // namespace holdfast
