// Document 003, what its text means: nowait_lease with the read and the insert or update in one transaction, which ends
// with the attempt; a caught error ends it by a commit, as it would under a framework. The release is a statement of
// its own: only the read says NOWAIT, so the release waits for the row lock of whoever is just asking, and fails when
// that one takes too long.
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
    .about = "nowait_lease with the locking read and the write in one transaction",
    .document = "003, in a transaction (ours)",
    .server = "mysql",
    .texts = {.does = "`nowait_lease` with the locking read and the write in one transaction, which ends with "
                      "the attempt. Only the read says NOWAIT: the release is a statement of its own, and "
                      "waits for the row lock of whoever is just asking.",
              .rules = "ours|the read and the write are one transaction, which ends with the attempt: the document "
                       "prints none, though FOR UPDATE does nothing without\n"
                       "003:71-74|a caught error is a refusal\n"
                       "ours|after a caught error the transaction is committed, as frameworks do",
              .flaws = "A client that stops while it asks keeps the row locked: the holder's release fails, all "
                       "others are refused at once.\n"
                       "Its expiry was computed before it stopped, so the grant that it then gets is over when "
                       "it arrives.\n"
                       "On a key without a row two first inserts deadlock or time out (1213, 1205), since gap "
                       "locks are compatible. Ten clients who ask at once may keep each other out for seconds, and "
                       "an insert that waited brings a lease that is nearly over: two hold it, with no fault.\n"
                       "All that `nowait_lease` suffers from through the clients' clocks and whole seconds.",
              .when = "B is stopped for 6 s in the middle of an attempt; the lease is 2 s.",
              .worst = "acquires at 12:00:00: granted until 12:00:02|\n"
                       "|at 12:00:01 computes its expiry, 12:00:03; begins, reads A's row and so locks it; is "
                       "stopped\n"
                       "releases: waits for B's row lock, and fails (1205)|\n"
                       "|at 12:00:07 goes on: A's row has expired; takes it over with expiry 12:00:03, commits: "
                       "granted\n"
                       "asks again: the row has expired, takes it over: granted|works, as the holder",
              .instead = "One statement that reads, decides and writes by the server's clock, and a grant that is "
                         "given up when it arrives after its own deadline: `fenced_lease`."},
    .make = [] { return std::unique_ptr<Lock>(new NowaitLeaseInTransaction); },
};

}  // namespace holdfast
