// The server's own session lock, asked with a wait of two seconds. It has no lease and lives as long as the session.
// Sound where its name is made of the whole key; what it asks of the server stands in locks/session_lock.sql.
#pragma once

#include "lock/lock.hpp"

namespace holdfast::planted {

class SessionLock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.execute("acquire", {{"key", claim.key}});
    return r.field(0, 0) == "1" ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}});
    return r.field(0, 0) == "1" ? Answer::done() : Answer::not_held();
  }
};

}  // namespace holdfast::planted
