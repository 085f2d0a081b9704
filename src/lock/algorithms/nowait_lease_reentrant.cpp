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
    .server = "mysql",
    .reentrant = true,
    .make = [] { return std::unique_ptr<Lock>(new NowaitLeaseReentrant); },
};

}  // namespace holdfast
