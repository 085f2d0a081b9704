// A lock that its own owner may take again: the row counts how often it was taken, and is gone when it was given back
// as often. A claim that was granted (its token says so) enters again only while its row is there: after the lease the
// outer hold is lost, and a fresh row would be the inner one's alone. One that was not yet granted and finds its own
// row, after a lost reply, takes it over as if it were new. Sound as it stands here; what it asks of the server stands
// in locks/reentrant_row.sql.
#pragma once

#include "lock/lock.hpp"

namespace holdfast::planted {

class ReentrantRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;

 protected:
  virtual std::string owner(Session&, const Claim& claim) const { return claim.owner; }
};

}  // namespace holdfast::planted
