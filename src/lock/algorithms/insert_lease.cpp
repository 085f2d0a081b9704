// Document 000, mended as it says: a row is the lock. Its owner is a fresh UUID, its expiry is the server's NOW() plus
// the lease; a duplicate key is a refusal. An attempt, the deletion of the expired row and the insert, is a transaction
// of its own at READ COMMITTED.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease;
const LockType lock_insert_lease{
    .about = "a row with a UUID and the server's expiry; an attempt deletes the expired row, then inserts",
    .document = "000",
    .server = "mysql",
    .isolation = "read_committed",
    .texts = {.does = "An attempt first deletes the key's row if its time is over by the server's clock, then "
                      "inserts a row with a fresh UUID and the expiry NOW() plus the lease. A duplicate key is "
                      "a refusal. Both are one transaction at READ COMMITTED, which ends with the attempt. The "
                      "release deletes the row where key and UUID match.",
              .rules =
                  "000:38|tryLock is a transaction of its own (REQUIRES_NEW)\n"
                  "000:37|its isolation level is READ COMMITTED, the default of the document's server\n"
                  "000:18-20|a duplicate key is caught and is a refusal, so the transaction is committed\n"
                  "000:13|a lease is whole seconds; here it is rounded up, and the grant promises what was asked for\n"
                  "000:33|unlock says whether a row was deleted\n"
                  "ours|the deletion of the expired row is in tryLock's transaction; the document says "
                  "before, not where\n"
                  "ours|unlock commits by itself: the document annotates tryLock alone",
              .flaws = "A holder that outlives its lease is not told, and the resource cannot tell its late "
                       "write from its successor's.\n"
                       "The expiry is a time on the server's wall clock: a jump forward ends a running lease, a "
                       "jump back keeps a dead holder's row for as much longer.\n"
                       "After a reply that was lost the client's own row refuses it until the lease is over.\n"
                       "Who stops, or is cut off, in the middle of an attempt keeps the row locked: the others' "
                       "attempts and the holder's release wait for it, and time out (1205).\n"
                       "Inserts that wait while the row is deleted can deadlock; one of them is refused though the "
                       "lock is free.\n"
                       "NOW() is read when a statement starts: an insert that waits for a row lock longer than "
                       "its lease is born expired.",
              .when = "A is stopped (a long collection of garbage, a suspended machine) for longer than its "
                      "lease of 2 s.",
              .worst = "inserts (key, a, expiry 12:00:02) at 12:00:00: granted|\n"
                       "reads the value 7 from the resource|\n"
                       "is stopped|\n"
                       "|at 12:00:03 deletes A's row, which has expired, and inserts its own: granted\n"
                       "|reads 7, writes 8\n"
                       "wakes, still takes itself for the holder, writes 8: accepted, so B's write is lost|\n"
                       "releases: no row has its UUID; only now it hears of it|",
              .instead = "`fenced_lease`, with a resource that checks the token. Where the resource cannot check "
                         "one, keep the work far shorter than the lease and look at a deadline of your own, on a "
                         "clock that nobody sets, before each write; that makes the accident rarer, not "
                         "impossible."},
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
