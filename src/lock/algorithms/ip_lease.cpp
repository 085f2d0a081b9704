// Document 004: the lock row names the holder's IP address and the time it took the lock, by the client's clock. A
// read, a decision in the client, then an unguarded update: nothing holds the row in between. There is no unlock; a
// holder finishes its job and lets the lease run out.
//
// Nobody looks at what the insert and the update came to, as printed: whatever they answered, true is returned.
#include "artifact/units.hpp"
#include "lock/local_time.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

// Its error is dropped, one without an answer too.
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
    // In whole seconds, as the column keeps them: then what it cuts off ends no lease early.
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
    .about = "a row with the holder's IP address and the client's time; read, decide, then an unguarded update",
    .document = "004",
    .server = "mysql",
    .releases = false,
    .whole_seconds = true,
    .texts =
        {.does = "One row a lock with its holder's IP address and the time at which it took the lock, by "
                 "the client's clock. An attempt reads the row, decides in the client whether it is its "
                 "own or has expired, then updates it without any guard. There is no unlock: a holder "
                 "finishes and lets the lease run out.",
         .rules =
             "004:19|the insert's error is not looked at, and true is returned\n"
             "004:23|the row is refused if its owner is another and its lease is not over\n"
             "004:27|the update has no condition of owner or time, and its result is not looked at\n"
             "ours|the row that it updates is the one that was read: the document prints no condition at all\n"
             "004:30|the owner is the host's address\n"
             "ours|how long a lease is, and that it is counted in whole seconds: the column keeps no others\n"
             "ours|an error of the read ends the attempt; read like the insert, of which no error is looked at either, "
             "it would "
             "let the client in\n"
             "ours|the time is the program's local time, sent as it stands; a driver may send it in UTC\n"
             "ours|there is no unlock, so a holder leaves, and asks again 2 s after its lease is over: that a holder "
             "refreshes its own lease, as its next cron job would, is not tried",
         .flaws =
             "Between the read and the update anybody may have taken the row: when a lease runs out, "
             "all who look at that moment are let in.\n"
             "Two processes of one host have one address, so each takes the other's lock for its own.\n"
             "A client that is ahead takes a lease that still runs; one that is behind writes a lease "
             "that is already old.\n"
             "The first insert's error is not looked at: of those that insert the same key at once all are "
             "let in, and so is one whose statement never arrived.\n"
             "DATETIME has no time zone: programs of different zones read each other's times hours "
             "off.\n"
             "An address that is given to another host makes the new one the holder at once, while the old one works.\n"
             "Nothing ever frees the lock before its lease is over.",
         .when = "No fault. C's lease has run out, and A and B poll at the same moment. (Two processes of "
                 "one host need not even that.)",
         .worst = "reads the row: C's, expired|\n"
                  "|reads the row: C's, expired\n"
                  "updates it to its own address: granted|\n"
                  "|updates it to its own address, and nothing in the statement objects: granted\n"
                  "works, as the holder|works, as the holder",
         .instead = "One guarded statement on the server's clock, with an owner that is unique to the grant: "
                    "`insert_lease`, or `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new IpLease); },
};

}  // namespace holdfast
