// What the reference locks on SQL share: a row with an owner, a token that rises with each grant, and an expiry by the
// server's clock; a deadline of the client's own, on its steady clock. Why that is sound is said in
// algorithms/fenced_lease.cpp.
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
