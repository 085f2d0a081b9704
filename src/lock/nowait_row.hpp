// What the locks of document 003 share: SELECT ... FOR UPDATE NOWAIT, then insert, or take over what has expired by the
// client's clock, guarded by the expiry that was read. Every exception of the read and of the insert is caught and read
// as a refusal, as printed: also one whose statement may have taken effect.
//
// The expiry is a local time of the client's program (LocalDateTime), sent and read as it stands: what zone it is of
// nobody says, and the server takes it to be of the session's.
#pragma once

#include "lock/lock.hpp"
#include "lock/thread_owner.hpp"

namespace holdfast {

class NowaitRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;

 protected:
  // The row is the claim's own and has not expired.
  virtual Answer enter_again(Session&, const Claim&) { return Answer::granted(); }
  std::string owner(const Session& session, const Claim& claim) { return owners_.of(session, claim.owner); }
  Answer delete_row(Session& session, const Claim& claim);
  void forget_owner(const Session& session) { owners_.forget(session); }

 private:
  Answer insert(Session& session, const Claim& claim, const std::string& expires);

  ThreadOwner owners_;
};

}  // namespace holdfast
