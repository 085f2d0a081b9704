// A lease with a fencing token that rises with each grant, as the shipped fenced_lease has it: one guarded upsert by
// the server's clock, a row that is never deleted, a deadline that the client counts on its steady clock from before it
// asked. Sound as it stands here; what it asks of the server stands in locks/token_row.sql.
#pragma once

#include "lock/lock.hpp"

namespace holdfast::planted {

class TokenRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }

 protected:
  virtual Reply token(Session& session, const Claim& claim);  // after a grant; no row: it is another's by now
};

}  // namespace holdfast::planted
