// Bug: one upsert takes the row if it has expired, and the affected rows tell whether it did. That is so with a driver
// that counts changed rows; one that counts matched rows (Connector/J does, by default) says 1 for the row of another
// that was left as it is, and everybody is granted. Story: A acquires, B acquires: both hold. No fault. Seen, as
// upsert_counts_rows+found_rows, by explore (two_holders) and by the generated suite (lease_exclusion:algorithm).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class UpsertCountsRows : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r =
        session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", planted::lease_us(claim)}});
    const Answer asked = planted::taken(r);
    if (asked.type != EventType::ok) return asked;
    return r.affected > 0 ? Answer::granted() : Answer::busy();
  }
};

}  // namespace

extern const LockType lock_upsert_counts_rows;
const LockType lock_upsert_counts_rows{.server = "mysql", .renews = true, .make = planted::make<UpsertCountsRows>};

}  // namespace holdfast
