// Document 004: one INSERT ... ON DUPLICATE KEY UPDATE on the server's clock; the affected rows decide. Unlock deletes
// by name, with no owner. Right with changed rows (1 fresh, 2 taken over, 0 unchanged); with matched rows an unchanged
// row counts 1 as well, and everybody is let in: `upsert_lease+found_rows`.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class UpsertLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.attempt("acquire", {{"key", claim.key}, {"ttl", claim.lease_ms / 1000}});
    if (r.conflict()) return Answer::conflict();
    if (!r.ok()) throw StatementFailed(true, Reason::other, r.error, r.message);
    return r.affected > 0 ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_upsert_lease;
const LockType lock_upsert_lease{
    .about = "one upsert on the server's clock, affected rows decide; unlock by name, no owner",
    .document = "004",
    .server = "mysql",
    .whole_seconds = true,
    .texts = {.does = "One INSERT ... ON DUPLICATE KEY UPDATE with two IFs on the server's UNIX_TIMESTAMP(): "
                      "it inserts the row, takes it over when it has expired, or leaves it as it is. The "
                      "affected rows decide: 1 fresh, 2 taken over, 0 refused. The unlock deletes by the "
                      "lock's name; no owner is stored.",
              .rules = "004:45|the affected rows tell whether the lock was taken\n"
                       "ours|that means: more than none\n"
                       "ours|an unlock that deletes no row says not held: the document prints the statement alone",
              .flaws =
                  "Where the connection counts matched rows (CLIENT_FOUND_ROWS, the default of some "
                  "drivers), an unchanged row counts 1: nobody is ever refused.\n"
                  "The unlock asks for no owner: a holder that outlived its lease frees its successor's "
                  "lock, a late one whatever is there.\n"
                  "After a reply that was lost the client's own row refuses it until the lease is over.\n"
                  "Assignments run from left to right: the second IF sees the new time stamp, so a "
                  "take-over keeps the old holder's length of lease.\n"
                  "The lease goes by the server's wall clock: a jump forward ends it early, and the unlock "
                  "by name then frees another's lock; after a jump back the unsigned subtraction is an error (1690) "
                  "to everybody, until the clock is where it was.",
              .when = "No fault: the connection counts matched rows.",
              .worst = "upserts: a fresh row, 1 row: granted|\n"
                       "|upserts: the row has not expired and stays as it is; it matched, which counts 1: "
                       "granted\n"
                       "works, as the holder|works, as the holder\n"
                       "unlocks by name|works on; the row is gone",
              .instead = "`insert_lease`, which is right in both modes; or `fenced_lease`, with a resource that "
                         "checks the token. With this one: an owner column that is read back and that the unlock "
                         "compares."},
    .make = [] { return std::unique_ptr<Lock>(new UpsertLease); },
};

}  // namespace holdfast
