// Document 000, its renewal: insert_lease, prolonged by INSERT ... ON DUPLICATE KEY UPDATE expire_time. The statement
// asks for no owner, and its result is not looked at: it prolongs whatever row there is, another's too, and where there
// is none it makes one. So a renewal never says that the lock is lost, and one that arrives late makes a freed lock
// held.
#include "lock/expiring_row.hpp"

namespace holdfast {
namespace {

class InsertLeaseUpsertRenew : public ExpiringRow {
 public:
  Answer renew(Session& session, Claim& claim) override {
    session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", lease_s(claim)}});
    return Answer::done();
  }
};

}  // namespace

extern const LockType lock_insert_lease_upsert_renew;
const LockType lock_insert_lease_upsert_renew{
    .about = "insert_lease with the document's renewal, an upsert without an owner test",
    .document = "000",
    .server = "mysql",
    .renews = true,
    .isolation = "read_committed",
    .texts = {.does = "`insert_lease` with a renewal: INSERT ... ON DUPLICATE KEY UPDATE expire_time. The "
                      "statement asks for no owner, and nobody looks at its result.",
              .rules = "000:51|the upsert renews the lock\n"
                       "ours|it is sent every third of a lease, and commits by itself\n"
                       "ours|nobody looks at its result: the document prints the statement alone\n"
                       "ours|all else is as in `insert_lease`, so that the renewal is all that differs",
              .flaws = "A renewal prolongs whatever row there is, a successor's too, and always answers that "
                       "all is well.\n"
                       "A renewal that arrives after the release makes the row anew: nobody holds it, and all "
                       "are refused until it expires.\n"
                       "All that `insert_lease` suffers from.",
              .when = "A is stopped (a long collection of garbage, a suspended machine) for longer than its "
                      "lease of 2 s.",
              .worst = "inserts its row, lease 2 s: granted|\n"
                       "is stopped|\n"
                       "|after 3 s deletes A's expired row, inserts its own: granted\n"
                       "wakes and renews: the key is there, so the update prolongs B's row: \"renewed\"|\n"
                       "works on, as the holder of a fresh lease|works, as the holder\n"
                       "renews again and again, and keeps B's row alive even when B has died|",
              .instead = "A renewal that is an UPDATE guarded by key, owner and expiry, and that ends the work "
                         "when it changes no row: that of `fenced_lease`."},
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseUpsertRenew); },
};

}  // namespace holdfast
