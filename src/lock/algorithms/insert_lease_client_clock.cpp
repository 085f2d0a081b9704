// Document 000, the mistake that it reports and corrects: insert_lease with an expiry that the client computes on its
// own clock and writes as a literal. The clean-up still compares with the server's NOW(), so a client that is behind,
// or whose host's zone differs from its session's, writes a lock that has already expired; one that is ahead writes one
// that outlasts its lease.
//
// The literal is the local time of the client's program, so a program or a session in another zone (`program_zone`,
// `time_zone` of a scenario) means "zones not synchronised". It has a fraction, as sent by drivers; the column keeps
// whole seconds, truncated by MariaDB and rounded by MySQL.
#include "artifact/units.hpp"
#include "lock/expiring_row.hpp"
#include "lock/local_time.hpp"

namespace holdfast {
namespace {

class InsertLeaseClientClock : public ExpiringRow {
 protected:
  Reply insert(Session& session, const Claim& claim) override {
    const std::string expires = datetime_text(local_us(session) + lease_s(claim) * kSecond_us);
    return session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"expires", expires}});
  }
};

}  // namespace

extern const LockType lock_insert_lease_client_clock;
const LockType lock_insert_lease_client_clock{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseClientClock); },
};

}  // namespace holdfast
