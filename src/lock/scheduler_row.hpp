// Common part of the scheduler locks on PostgreSQL: a row per job with the time until which it is locked. Each lock
// chooses the clock.
#pragma once

#include <string_view>

#include "lock/local_time.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class SchedulerRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;  // `insert`, then `update`
  Answer renew(Session& session, Claim& claim) override;    // `extend`
  Answer release(Session& session, Claim& claim) override;  // `release`

 protected:
  static constexpr const char* kFree = "release";  // unlocked: needs no end time

  virtual Reply ask(Session& session, const char* statement, const Claim& claim);
};

}  // namespace holdfast
