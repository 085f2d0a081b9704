// Document 000: a row is the lock. Its owner is a fresh UUID, its expiry is the server's NOW() plus the lease; a
// duplicate key is a refusal. An expired row is deleted before each attempt; each statement is a transaction of its
// own.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease;
const LockType lock_insert_lease{
    .about = "a row with a UUID and the server's expiry; the expired row is deleted before each attempt",
    .document = "000",
    .texts = {.does = "An attempt first deletes the key's row if its time is over by the server's clock, then "
                      "inserts a row with a fresh UUID and the expiry NOW() plus the lease. A duplicate key is "
                      "a refusal. The release deletes the row where key and UUID match. Each statement is a "
                      "transaction of its own.",
              .flaws = "A holder that outlives its lease is not told, and the resource cannot tell its late "
                       "write from its successor's.\n"
                       "The expiry is a time on the server's wall clock: a jump forward ends a running lease, a "
                       "jump back keeps a dead holder's row for as much longer.\n"
                       "After a reply that was lost the client's own row refuses it until the lease is over.\n"
                       "NOW() is read when a statement starts: an insert that waits for a row lock longer than "
                       "its lease is born expired.\n"
                       "Deletion and insert of many clients can deadlock; one of them is refused though the "
                       "lock may be free.",
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
