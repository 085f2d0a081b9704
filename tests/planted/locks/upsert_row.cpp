// Sound: one upsert takes the row if it is not there or has expired, and the row, read back, tells whose it is. So it
// does not matter whether the connection counts changed or matched rows.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class UpsertRow : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Answer asked = planted::taken(
        session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", planted::lease_us(claim)}}));
    if (asked.type != EventType::ok) return asked;
    const Reply mine = session.attempt("read_own", {{"key", claim.key}, {"owner", claim.owner}});
    if (!mine.ok()) return Answer::uncertain();
    return mine.rows.empty() ? Answer::busy() : Answer::granted();
  }
};

}  // namespace

extern const LockType lock_upsert_row;
const LockType lock_upsert_row{.server = "mysql", .renews = true, .make = planted::make<UpsertRow>};

}  // namespace holdfast
