// A leader's row: who finds none, or one that is over, makes it its own; the leader prolongs it, and leaves by silence.
// A version rises with each take-over and guards all changes. Sound as it stands here; what it asks of the server
// stands in locks/leader_row.sql.
#pragma once

#include "lock/lock.hpp"

namespace holdfast::planted {

class LeaderRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;
};

}  // namespace holdfast::planted
