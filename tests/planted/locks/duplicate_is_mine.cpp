// Bug: after a lost reply the insert is tried once more, and a duplicate key is then taken for the client's own row of
// the first try. It may as well be another's, who held the lock all along. Story: A holds, B's insert is refused and
// the answer is lost, B tries again: duplicate key, "granted". Seen by explore (two_holders, B!lost) and by the
// generated suite (a reply lost to a client that was refused: lease_exclusion:reply_lost).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class DuplicateIsMine : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    try {
      return RowLease::acquire(session, claim);
    } catch (const StatementFailed& failed) {
      if (failed.definite) throw;
    }
    const Answer again = RowLease::acquire(session, claim);
    return again.reason == Reason::busy ? Answer::granted() : again;
  }
};

}  // namespace

extern const LockType lock_duplicate_is_mine;
const LockType lock_duplicate_is_mine{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<DuplicateIsMine>};

}  // namespace holdfast
