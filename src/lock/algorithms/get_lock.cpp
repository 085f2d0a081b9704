// For comparison: the server's own session lock, GET_LOCK and RELEASE_LOCK, asked without waiting. It has no lease: it
// lives as long as the connection does, and its loss with the connection is silent.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class GetLock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.execute("acquire", {{"key", claim.key}});
    return r.field(0, 0) == "1" ? Answer::granted() : Answer::busy();
  }

  // 1: freed. 0: another session holds it. NULL: nobody does.
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}});
    return r.field(0, 0) == "1" ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_get_lock;
const LockType lock_get_lock{
    .about = "the server's session lock: no lease, dies with the connection",
    .document = "comparison",
    .server = "mysql",
    .lease = false,
    .texts = {.does = "The server's own session lock: GET_LOCK(key, 0), asked again and again; RELEASE_LOCK "
                      "frees it. It has no lease: it lives as long as the session does.",
              .flaws = "Its loss with the session is silent: a KILL, an idle time-out, a restart of the server.\n"
                       "A holder that is stopped keeps everybody out for as long as its connection lives.\n"
                       "A client that was cut off and comes back may be refused by a session of its own that "
                       "the server still keeps.",
              .when = "The server ends A's session while A works.",
              .worst = "GET_LOCK: 1, granted|\n"
                       "|GET_LOCK: 0, refused\n"
                       "the server ends its session; A, who is busy elsewhere, hears nothing|\n"
                       "|GET_LOCK: 1, granted\n"
                       "writes to the resource over another connection: accepted|works, as the holder",
              .instead = "Keep it where every protected write goes through the very session that holds the lock, "
                         "in one transaction: the write then fails with the lock. Else `fenced_lease`, with a "
                         "resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new GetLock); },
};

}  // namespace holdfast
