// Sound: row_lease with leases of whole seconds. Its interface says so, and what it is given is rounded up.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class SecondsLease : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    if (session.attempt("delete_expired", {{"key", claim.key}}).conflict()) return Answer::conflict();
    return planted::taken(
        session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_s", ttl_s(claim)}}));
  }

  Answer renew(Session& session, Claim& claim) override {
    return planted::own(
        session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_s", ttl_s(claim)}}));
  }

 private:
  static std::int64_t ttl_s(const Claim& claim) { return (claim.lease_ms + 999) / 1000; }
};

}  // namespace

extern const LockType lock_seconds_lease;
const LockType lock_seconds_lease{
    .server = "mysql", .renews = true, .whole_seconds = true, .make = planted::make<SecondsLease>};

}  // namespace holdfast
