// What the locks of document 003 share: SELECT ... FOR UPDATE NOWAIT, then insert, or take over what has expired by the
// client's clock, guarded by the expiry that was read. Every exception of the read and of the insert is caught and read
// as a refusal, as printed: also one whose statement may have taken effect. The owner is one per thread and lives until
// the lock is released.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class NowaitRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;

 protected:
  // The row is the claim's own and has not expired.
  virtual Answer enter_again(Session&, const Claim&) { return Answer::granted(); }
};

}  // namespace holdfast
