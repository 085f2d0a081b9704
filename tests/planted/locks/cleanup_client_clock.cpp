// Bug: leases go by the server's clock, but the clean-up before each attempt deletes what has expired by the client's.
// A client whose clock is ahead by more than the lease deletes the row of a holder. Story: A acquires; B, whose clock
// is ahead, cleans up and acquires: both hold. Seen by explore (two_holders, B!ahead) and by the generated suite
// (lease_exclusion:client_skew).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class CleanupClientClock : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t now_us = session.now_ns() / 1000;
    if (session.attempt("clean_up", {{"now_us", now_us}}).conflict()) return Answer::conflict();
    return RowLease::acquire(session, claim);
  }
};

}  // namespace

extern const LockType lock_cleanup_client_clock;
const LockType lock_cleanup_client_clock{.server = "mysql", .renews = true, .make = planted::make<CleanupClientClock>};

}  // namespace holdfast
