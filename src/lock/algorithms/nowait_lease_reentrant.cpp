// Document 003 with the extension that it plans: an owner who asks again is let in, and is counted; a release counts
// down, and the last one deletes. `reentrant_count` is the number of entries beyond the first (the table's default is
// 0).
//
// What the document prints stays as it is, and does not fit the plan:
// - "let in without acquiring again": an inner entry does not prolong the row, so it may be granted an instant before
//   the row expires;
// - the update that takes over an expired row does not name the count, so a dead owner's entries pass to the next one,
//   whose releases then count down what it never entered, and leave the row until it expires;
// - the printed release forgets the thread's owner at once, even when it only counted down. Kept to the letter, no
// outer
//   release could ever find its row. Here the owner lives until the last release, which the plan needs.
#include "lock/nowait_row.hpp"

namespace holdfast {
namespace {

class NowaitLeaseReentrant : public NowaitRow {
 public:
  Answer release(Session& session, Claim& claim) override {
    try {
      const Reply left = session.execute("leave_inner", {{"key", claim.key}, {"owner", owner(session, claim)}});
      return left.affected > 0 ? Answer::done() : NowaitRow::release(session, claim);
    } catch (const StatementFailed&) {
      forget_owner(session);
      throw;
    }
  }

 protected:
  Answer enter_again(Session& session, const Claim& claim) override {
    const Reply entered = session.execute("enter_again", {{"key", claim.key}, {"owner", owner(session, claim)}});
    return entered.affected > 0 ? Answer::granted() : Answer::busy();
  }
};

}  // namespace

extern const LockType lock_nowait_lease_reentrant;
const LockType lock_nowait_lease_reentrant{
    .about = "nowait_lease with the count of entries that the document plans",
    .document = "003, its plan",
    .server = "mysql",
    .reentrant = true,
    .texts = {.does = "`nowait_lease` with the count of entries that the document plans: an owner who asks "
                      "again is let in and counted, a release counts down, and the last one deletes the row.",
              .rules = "003:25-26|who asks again is let in, and is counted\n"
                       "003:44|a release counts down, and the last one frees the lock\n"
                       "ours|the statements that count; the document has the column, and no statement\n"
                       "ours|the owner is kept until the last release: forgotten at the first one, as printed, no "
                       "outer release could find its row",
              .flaws = "An inner entry does not prolong the row, so it may be granted an instant before the row "
                       "expires.\n"
                       "The take-over of an expired row does not reset the count: the new owner's releases "
                       "count down a dead owner's entries, and the row stays until it expires.\n"
                       "The release as printed forgets the thread's owner at once, so no outer release could "
                       "find its row; here it is kept until the last.\n"
                       "All that `nowait_lease` suffers from.",
              .when = "No fault: A asks again shortly before its lease is over.",
              .worst = "at 12:00:00 acquires: granted until 12:00:02|\n"
                       "at 12:00:01.9 asks again: it is its own row, count 1: granted, and the expiry stays "
                       "12:00:02|\n"
                       "|at 12:00:02.1 reads an expired row, takes it over: granted\n"
                       "works on its inner entry, 0.2 s old|works, as the holder",
              .instead = "An entry that also prolongs the row, in the same guarded statement, and a take-over "
                         "that resets the count; or count entries in the process, around one grant of "
                         "`fenced_lease`."},
    .make = [] { return std::unique_ptr<Lock>(new NowaitLeaseReentrant); },
};

}  // namespace holdfast
