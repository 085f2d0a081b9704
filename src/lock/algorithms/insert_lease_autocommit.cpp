// insert_lease without the transaction around an attempt: each statement commits by itself, at the server's own
// isolation level. The document warns of lock statements that are not committed by themselves; this is the other way to
// heed it, and ours.
#include "lock/expiring_row.hpp"

namespace holdfast {
namespace {

class InsertLeaseAutocommit : public ExpiringRow {
 public:
  // A conflict surely took no lock, though the deletion before it may have removed an expired row.
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
    .about = "insert_lease without its transaction: each statement commits by itself",
    .document = "000, without its transaction (ours)",
    .server = "mysql",
    .texts = {.does = "`insert_lease` without the transaction around an attempt: the deletion and the insert "
                      "commit each by itself, at the server's own isolation level, REPEATABLE READ.",
              .rules = "ours|no transaction around tryLock, and the server's own isolation level: what is left of "
                       "the document's lock without its annotation\n"
                       "000:18-20|a duplicate key is a refusal",
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
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseAutocommit); },
};

}  // namespace holdfast
