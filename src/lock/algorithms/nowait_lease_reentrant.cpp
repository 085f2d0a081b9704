// Document 003 with its planned extension: an owner that asks again is granted and counted; a release counts down, and
// the last one deletes. `reentrant_count` is the number of entries beyond the first (the table's default is 0).
//
// The printed statements are unchanged, and do not match the plan:
// - "let in without acquiring again": an inner entry does not prolong the row, so it may be granted an instant before
//   the row expires;
// - the update that takes over an expired row does not set the count, so a dead owner's entries pass to the next one,
//   whose releases then count down entries it never made, and leave the row until it expires;
// - the printed release forgets the thread's owner immediately, even when it only counted down. Taken literally, no
//   outer release could find its row. Here the owner is kept until the last release, as the plan requires.
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
