// Sound: row_lease, and after a lost reply the insert is tried once more. A row that is there then may be the client's
// own, of the first try: it looks whose it is.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RetryRow : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    try {
      return RowLease::acquire(session, claim);
    } catch (const StatementFailed& failed) {
      if (failed.definite) throw;
    }
    const Answer again = RowLease::acquire(session, claim);
    if (again.reason != Reason::busy) return again;
    const Reply mine = session.execute("read_own", {{"key", claim.key}, {"owner", claim.owner}});
    return mine.rows.empty() ? again : Answer::granted();
  }
};

}  // namespace

extern const LockType lock_retry_row;
const LockType lock_retry_row{.server = "mysql", .renews = true, .make = planted::make<RetryRow>};

}  // namespace holdfast
