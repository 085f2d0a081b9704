// Document 002, what its locking read is for: unique_row with the read and the insert in one transaction, which ends
// with the attempt. While no row is there, under REPEATABLE READ, both of two readers get the gap's lock, and both
// inserts then wait for the other's: one of them ends as a deadlock's victim.
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
    .about = "unique_row with the locking read and the insert in one transaction",
    .document = "002, in a transaction (ours)",
    .server = "mysql",
    .lease = false,
    .texts = {.does = "`unique_row` with the locking read and the insert in one transaction, which ends with "
                      "the attempt.",
              .rules = "ours|the read and the insert are one transaction, which ends with the attempt: the "
                       "document names none, though a locking read does nothing without\n"
                       "002:124|that one of two requests blocks at the read: where there is no row, both read none, "
                       "and their inserts block\n"
                       "ours|the unlock, as in `unique_row`",
              .flaws = "All that `unique_row` suffers from.\n"
                       "While no row is there, the gap locks of two readers are compatible: both read \"none\", "
                       "each insert waits for the other, and one ends as a deadlock's victim.\n"
                       "Whoever asks holds the row lock while it asks: if it stops or is cut off just then, the "
                       "holder's release fails.",
              .when = "B is stopped in the middle of an attempt, for longer than a lock wait lasts.",
              .worst = "reads, inserts, commits: granted|\n"
                       "|begins, reads A's row and so locks it; is stopped\n"
                       "releases: the deletion waits for B's row lock, times out (1205) and is not repeated|\n"
                       "|wakes: refused, commits\n"
                       "the row stays, and everybody is refused for ever|the same",
              .instead = "A lease, so that a release that fails costs a while and not eternity: `insert_lease`, "
                         "or `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new UniqueRowInTransaction); },
};

}  // namespace holdfast
