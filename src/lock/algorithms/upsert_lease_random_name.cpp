// Document 004, read to the letter: "the program can make a random value for lock_name". Every attempt then locks a
// name of its own, so that none is ever refused, and the row of a client that dies is never asked for again: it stays.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class UpsertLeaseRandomName : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.attempt("acquire", {{"key", claim.owner}, {"ttl", claim.lease_ms / 1000}});
    if (r.conflict()) return Answer::conflict();
    if (!r.ok()) throw StatementFailed(true, Reason::other, r.error, r.message);
    return r.affected > 0 ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.owner}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_upsert_lease_random_name;
const LockType lock_upsert_lease_random_name{
    .about = "upsert_lease with a random value as the lock's name, as the document says",
    .document = "004, to the letter",
    .server = "mysql",
    .statements = "upsert_lease",
    .whole_seconds = true,
    .texts = {.does = "`upsert_lease` read to the letter: \"the program can make a random value for lock_name\". "
                      "Every attempt locks a name of its own.",
              .rules = "004:45|the program makes a random value as lock_name\n"
                       "ours|that value is new for each grant",
              .flaws = "Nobody is ever refused: there is no lock.\n"
                       "The row of a client that dies is never asked for again, and stays.",
              .when = "No fault.",
              .worst = "upserts the name r1: a fresh row: granted|\n"
                       "|upserts the name r2: a fresh row: granted\n"
                       "works, as the holder|works, as the holder",
              .instead = "The lock's name must be what the clients agree on; random is what the *owner* must be: "
                         "`insert_lease`, or `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new UpsertLeaseRandomName); },
};

}  // namespace holdfast
