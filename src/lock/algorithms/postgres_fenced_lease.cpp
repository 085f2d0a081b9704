// The reference on PostgreSQL: one guarded upsert on the server's clock, a token that rises with each grant, the
// deadline on the client's steady clock. fenced_lease.cpp explains why it is correct. Here the upsert itself returns
// the token (RETURNING), and no row if its guard refuses, so nothing is read back. now() is the time when the statement
// began, since each is a transaction of its own; one that waited for the row has an older time, and refuses more, never
// less.
#include "artifact/units.hpp"
#include "lock/fenced_row.hpp"

namespace holdfast {
namespace {

class PostgresFencedLease : public FencedRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    const Reply taken =
        session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", claim.lease_ms * 1000}});
    if (taken.conflict()) return Answer::conflict();
    expect_ok("acquire", taken);
    if (taken.rows.empty()) return Answer::busy();
    return granted(session, claim, taken.count(0, 0), deadline_ns);
  }
};

}  // namespace

extern const LockType lock_postgres_fenced_lease;
const LockType lock_postgres_fenced_lease{
    .server = "postgres",
    .renews = true,
    .fenced = true,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new PostgresFencedLease); },
};

}  // namespace holdfast
