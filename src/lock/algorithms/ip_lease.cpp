// Document 004: the lock row names the holder's IP address and the time it took the lock, by the client's clock. A
// read, a decision in the client, then an unguarded update: nothing holds the row in between. There is no unlock; a
// holder finishes its job and lets the lease run out.
//
// The document's pseudo code does not look at the insert's result. Here a duplicate key is a refusal, as it would be
// where an error is thrown; the flaws that remain are the ones that the document discusses and those it does not see.
#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class IpLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply found = session.execute("select", {{"key", claim.key}});
    if (found.rows.empty()) {
      const Reply inserted =
          session.attempt("insert", {{"key", claim.key}, {"owner", session.address()}, {"now", now_s(session)}});
      if (inserted.duplicate_key()) return Answer::busy();
      if (inserted.conflict()) return Answer::conflict();
      return Answer::granted();
    }
    const std::string owner = found.field(0, 0).value_or("");
    const std::int64_t taken_s = std::stoll(found.field(0, 1).value_or("0"));
    const bool expired = now_s(session) - taken_s > claim.lease_ms / 1000;
    if (owner != session.address() && !expired) return Answer::busy();
    session.execute("update", {{"key", claim.key}, {"owner", session.address()}, {"now", now_s(session)}});
    return Answer::granted();
  }

 private:
  // The column is a DATETIME: whole seconds.
  static std::int64_t now_s(Session& session) { return session.now_ns() / kSecond_ns; }
};

}  // namespace

extern const LockType lock_ip_lease;
const LockType lock_ip_lease{
    .about = "a row with the holder's IP address and the client's time; read, decide, then an unguarded update",
    .document = "004",
    .releases = false,
    .whole_seconds = true,
    .texts = {.does = "One row a lock with its holder's IP address and the time at which it took the lock, by "
                      "the client's clock. An attempt reads the row, decides in the client whether it is its "
                      "own or has expired, then updates it without any guard. There is no unlock: a holder "
                      "finishes and lets the lease run out.",
              .flaws = "Between the read and the update anybody may have taken the row: when a lease runs out, "
                       "all who look at that moment are let in.\n"
                       "Two processes of one host have one address, so each takes the other's lock for its own.\n"
                       "A client that is ahead takes a lease that still runs; one that is behind writes a lease "
                       "that is already old.\n"
                       "DATETIME has no time zone: sessions of different zones read each other's times hours "
                       "off.\n"
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
