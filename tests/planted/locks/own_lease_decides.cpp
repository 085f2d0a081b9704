// Bug: the row keeps when it was taken, and whether it is over is computed with the lease of the client that asks.
// Where clients ask for leases of different lengths, one with a short lease takes the lock from one with a long one.
// Story: A acquires for 10 s; after 1 s B, who asks for 1 s, deletes A's row and acquires: both hold. No fault. Seen by
// the generated suite with several leases at once (lease_exclusion:algorithm), and by explore if its clients' leases
// differ.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class OwnLeaseDecides : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply gone = session.attempt("delete_expired", {{"key", claim.key}, {"ttl_us", planted::lease_us(claim)}});
    if (gone.conflict()) return Answer::conflict();
    return planted::taken(session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}}));
  }
};

}  // namespace

extern const LockType lock_own_lease_decides;
const LockType lock_own_lease_decides{.server = "mysql", .renews = true, .make = planted::make<OwnLeaseDecides>};

}  // namespace holdfast
