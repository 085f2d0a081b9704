// An election as in etcd's own package: each candidate puts a key with a lease below one prefix, and the one whose key
// has the smallest create_revision leads. A candidate that does not win in time withdraws its key. It is not fenced:
// the package returns the revision, but users rarely pass it on.
//
// A waiting candidate keeps its lease alive. The winner does so once more, so that its lease begins with its
// leadership.
#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kWait_ms = 2000;
constexpr std::int64_t kAskEvery_ms = 50;

class EtcdElection : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t until_ns = session.steady_ns() + kWait_ms * kMillisecond_ns;
    std::int64_t kept_ns = session.steady_ns();
    claim.handle = session.execute("grant", {{"ttl_s", claim.lease_ms / 1000}}).text(0, 0);
    const Reply entered =
        session.execute("enter", {{"key", claim.key}, {"owner", claim.owner}, {"lease", claim.handle}});
    if (entered.affected == 0) return Answer::conflict();
    claim.token = entered.count(0, 0);
    for (std::int64_t asked = 0; asked <= kWait_ms / kAskEvery_ms && session.steady_ns() <= until_ns; ++asked) {
      const bool first = is_first(session, claim);
      if (first || session.steady_ns() - kept_ns > claim.lease_ms * kMillisecond_ns / 3) {
        kept_ns = session.steady_ns();
        if (session.execute("renew", {{"lease", claim.handle}}).rows.empty()) return Answer::busy();
      }
      if (first) return lead(claim, kept_ns);
      session.sleep_ms(kAskEvery_ms);
    }
    resign(session, claim);
    return Answer::busy();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.steady_ns();
    if (session.execute("renew", {{"lease", claim.handle}}).rows.empty()) return Answer::not_held();
    return lead(claim, asked_ns);
  }

  Answer release(Session& session, Claim& claim) override {
    if (claim.handle.empty()) return Answer::not_held();
    return resign(session, claim) ? Answer::done() : Answer::not_held();
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }

 private:
  static bool is_first(Session& session, const Claim& claim) {
    const Reply first = session.execute("first", {{"key", claim.key}});
    return !first.rows.empty() && first.count(0, 0) == claim.token;
  }

  static Answer lead(Claim& claim, std::int64_t since_ns) {
    claim.deadline_ns = since_ns + claim.lease_ms * kMillisecond_ns;
    return Answer::granted();
  }

  static bool resign(Session& session, const Claim& claim) {
    return session.execute("resign", {{"key", claim.key}, {"lease", claim.handle}}).affected > 0;
  }
};

}  // namespace

extern const LockType lock_etcd_election;
const LockType lock_etcd_election{
    .server = "etcd",
    .renews = true,
    .whole_seconds = true,
    .waits = true,
    .waits_ms = kWait_ms,
    .guard_ms = 1000,  // as etcd_lease_txn
    .make = [] { return std::unique_ptr<Lock>(new EtcdElection); },
};

}  // namespace holdfast
