// Document 004: the lock row contains the holder's IP address and the time of the grant on the client's clock. A read,
// a decision in the client, then an unguarded update: nothing holds the row in between. There is no unlock; a holder
// finishes its job and lets the lease run out.
//
// The results of the insert and the update are ignored, as printed: true is returned in any case.
#include "artifact/units.hpp"
#include "lock/local_time.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

// Errors are ignored, including a missing answer.
void send(Session& session, const char* statement, const Claim& claim) {
  const std::string now = datetime_text(local_us(session));
  try {
    session.attempt(statement, {{"key", claim.key}, {"owner", session.address()}, {"now", now}});
  } catch (const StatementFailed&) {
    return;
  }
}

class IpLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply found = session.execute("select", {{"key", claim.key}});
    if (found.rows.empty()) {
      send(session, "insert", claim);
      return Answer::granted();
    }
    const bool mine = found.field(0, 0) == session.address();
    // Whole seconds, as in the column: then truncation ends no lease early.
    const std::int64_t taken_s = us_of_datetime(found.field(0, 1).value_or("")) / kSecond_us;
    const std::int64_t age_s = local_us(session) / kSecond_us - taken_s;
    if (!mine && age_s <= claim.lease_ms / 1000) return Answer::busy();
    send(session, "update", claim);
    return Answer::granted();
  }
};

}  // namespace

extern const LockType lock_ip_lease;
const LockType lock_ip_lease{
    .server = "mysql",
    .releases = false,
    .whole_seconds = true,
    .make = [] { return std::unique_ptr<Lock>(new IpLease); },
};

}  // namespace holdfast
