// Bug: the upsert sets the expiry before the owner. Assignments run from left to right and see what those before them
// wrote, so that of an expired row the expiry is renewed and the owner is left as it was. The new holder can neither
// prolong nor free what it was granted, and the old one can. Story: A acquires, its lease ends, B acquires: granted,
// but the row is A's; B releases: not yours. No fault. Seen by explore (lost_inside_lease; foreign_renew and
// two_holders, for A can prolong what B was granted) and by the generated suite (ownership).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class UpsertWrongOrder : public planted::RowLease {
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

extern const LockType lock_upsert_wrong_order;
const LockType lock_upsert_wrong_order{.server = "mysql", .renews = true, .make = planted::make<UpsertWrongOrder>};

}  // namespace holdfast
