// What the scheduler's rows on PostgreSQL share: a row a job with the time until which it is locked. Whose clock says
// what time it is, is each lock's own.
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
  static constexpr const char* kFree = "release";  // needs no time until which

  virtual Reply ask(Session& session, const char* statement, const Claim& claim);
};

}  // namespace holdfast
