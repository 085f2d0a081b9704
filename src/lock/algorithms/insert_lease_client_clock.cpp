// Document 000, the mistake that it reports and mends: insert_lease with an expiry that the client computed on its own
// clock and wrote as a literal. The clean-up still compares with the server's NOW(), so a client that is behind, or
// whose host's zone is not its session's, writes a lock that has already expired; one that is ahead writes one that
// outlives its lease.
//
// The literal is the local time of the client's program, so a program or a session of another zone (`program_zone`,
// `time_zone` of a scenario) is "zones not synchronised". It carries a fraction, as drivers send it; the column keeps
// whole seconds, to which MariaDB cuts it and MySQL rounds it.
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
    .about = "insert_lease with the expiry computed by the client's clock and written as a literal",
    .document = "000, its mistake",
    .server = "mysql",
    .isolation = "read_committed",
    .texts = {.does = "`insert_lease`, but the client computes the expiry on its own clock and writes it as a "
                      "literal. The deletion of expired rows still compares with the server's NOW().",
              .rules = "000:42|the client passes a time of its own, and zones may differ\n"
                       "ours|the time is the program's local time plus the lease, with a fraction, as a driver "
                       "sends it\n"
                       "ours|all else is as in `insert_lease`, so that the clock is all that differs",
              .flaws = "A client whose clock is behind the server's by more than the lease writes a lock that "
                       "has already expired.\n"
                       "A client whose clock is ahead leaves a row that outlives its lease by as much when it "
                       "dies.\n"
                       "A host whose time zone is not that of its session is wrong by hours.\n"
                       "All that `insert_lease` suffers from.",
              .when = "A's clock is 10 s behind the server's; nothing else is wrong.",
              .worst = "its clock says 12:00:00, the server's 12:00:10; inserts (key, a, expiry 12:00:02): "
                       "granted|\n"
                       "|deletes A's row, because 12:00:02 < 12:00:10, and inserts its own: granted\n"
                       "works, as the holder|works, as the holder",
              .instead = "`insert_lease`, whose expiry is computed in the statement, by the server; or "
                         "`fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseClientClock); },
};

}  // namespace holdfast
