// Bug: an expired row is found by one statement and deleted, by its key alone, by another. Of two clients that find the
// same row the slower one deletes what the faster one has inserted. Story: C's row has expired; A and B read it; B
// deletes it and inserts its own; A deletes B's row and inserts its own: both hold. Seen by explore (two_holders,
// without a fault) and by the generated suite (a pause between the statements: lease_exclusion).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class TakeoverTwoSteps : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    if (!session.execute("find_expired", {{"key", claim.key}}).rows.empty()) {
      if (session.attempt("delete_expired", {{"key", claim.key}}).conflict()) return Answer::conflict();
    }
    return planted::taken(
        session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", planted::lease_us(claim)}}));
  }
};

}  // namespace

extern const LockType lock_takeover_two_steps;
const LockType lock_takeover_two_steps{.server = "mysql", .renews = true, .make = planted::make<TakeoverTwoSteps>};

}  // namespace holdfast
