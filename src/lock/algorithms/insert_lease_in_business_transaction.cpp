// Document 000, the mistake behind its "independent transaction": insert_lease inside the caller's open transaction.
// The transaction begins before the attempt; a refusal ends it, a grant leaves it open through the critical section,
// and the release's delete is its last statement before the commit.
//
// So the row is never committed while it says "held". What keeps others out is the row lock of the open transaction: a
// second client does not hear "duplicate key", it waits, until its lock wait times out (here after 1 s; 50 s by
// default). The expiry is never read. The lock lives as long as the transaction does, longer than its lease or shorter,
// and is gone, unheard, when the connection is.
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
    .about = "insert_lease inside the caller's transaction, open from the attempt to the end of the work",
    .document = "000, its mistake",
    .server = "mysql",
    .isolation = "read_committed",
    .texts = {.does = "`insert_lease` whose statements run inside the caller's open transaction: it begins "
                      "before the attempt, and the commit comes after the work and the release. What keeps "
                      "others out is the row lock of the open transaction, never the row that it wrote; the "
                      "expiry is never read.",
              .rules = "000:37|a lock timed out while its task still ran, because a transaction had not been "
                       "committed; its isolation level is "
                       "READ COMMITTED\n"
                       "ours|that transaction is the caller's: the whole job, from the attempt to the release, is one; "
                       "a refusal ends it",
              .flaws = "The lock is gone, unheard, as soon as the session ends or the transaction is rolled "
                       "back.\n"
                       "Others are not refused but wait, until their lock wait times out (50 s by default).\n"
                       "A holder that hangs keeps everybody out beyond its lease, for as long as the server "
                       "keeps its transaction.\n"
                       "A client that is cut off leaves its row lock behind until the server notices.\n"
                       "In a cluster that takes writes on every server (Galera) a row lock is of one server: before "
                       "the first of them commits, clients of each server have inserted the row, and hold it.",
              .when = "A's session ends while A works: an administrator's KILL, an idle time-out, a proxy.",
              .worst = "begins a transaction, inserts its row: granted|\n"
                       "|begins, and waits for A's row lock\n"
                       "the server ends A's session and rolls its transaction back: the row was never "
                       "committed|its wait is over, inserts its own row: granted\n"
                       "works on outside the database, and has heard nothing|works, as the holder",
              .instead = "The lock's statements on a connection of their own, each committed at once, as "
                         "`insert_lease` has them; or `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseInBusinessTransaction); },
};

}  // namespace holdfast
