// Common part of the reference locks in SQL: a row with an owner, a token that rises with each grant, and an expiry on
// the server's clock; and a deadline on the client's steady clock. algorithms/fenced_lease.cpp explains why this is
// correct.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class FencedRow : public Lock {
 public:
  Answer renew(Session& session, Claim& claim) override;    // statement `renew`
  Answer release(Session& session, Claim& claim) override;  // statement `release`
  bool still_held(Session& session, const Claim& claim) override;

 protected:
  // `deadline_ns`: counted from before the statement was sent. A grant that arrives after it is not used.
  Answer granted(Session& session, Claim& claim, std::uint64_t token, std::int64_t deadline_ns);
};

}  // namespace holdfast
