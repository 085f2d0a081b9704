// Bug: expiry and "now" are the client's own wall clock, given as numbers. A client whose clock is ahead by more than
// the lease takes every lock away from its holder. Story: A acquires, B, whose clock is ahead, deletes A's row and
// acquires. Seen by explore (two_holders, A!ahead) and by the generated suite (lease_exclusion:client_skew).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class ExpiryClientClock : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t now_us = session.now_ns() / 1000;
    if (session.attempt("delete_expired", {{"key", claim.key}, {"now_us", now_us}}).conflict())
      return Answer::conflict();
    return planted::taken(session.attempt(
        "acquire", {{"key", claim.key}, {"owner", claim.owner}, {"expires_us", now_us + planted::lease_us(claim)}}));
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t now_us = session.now_ns() / 1000;
    return planted::own(session.execute("renew", {{"key", claim.key},
                                                  {"owner", claim.owner},
                                                  {"now_us", now_us},
                                                  {"expires_us", now_us + planted::lease_us(claim)}}));
  }
};

}  // namespace

extern const LockType lock_expiry_client_clock;
const LockType lock_expiry_client_clock{.server = "mysql", .renews = true, .make = planted::make<ExpiryClientClock>};

}  // namespace holdfast
