// What the locks of document 003 share: the owner that it keeps with its thread, and SELECT ... FOR UPDATE NOWAIT.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "lock/lock.hpp"
#include "store/session.hpp"

namespace holdfast {

// The owner that document 003 keeps in its thread's local storage: made when it is first asked for, and forgotten after
// each release, whatever became of it. A thread has one for all its keys. Here a thread is known by its session.
class ThreadOwner {
 public:
  // `unique`: a text that no other thread has; what is made of it is another one after each `forget`.
  std::string of(const Session& thread, const std::string& unique) {
    const std::lock_guard guard(mutex_);
    Kept& kept = kept_[&thread];
    if (kept.owner.empty()) kept.owner = unique + (++kept.made > 1 ? "." + std::to_string(kept.made) : "");
    return kept.owner;
  }
  void forget(const Session& thread) {
    const std::lock_guard guard(mutex_);
    kept_[&thread].owner.clear();
  }

 private:
  struct Kept {
    std::string owner;
    int made = 0;
  };
  std::mutex mutex_;
  std::map<const Session*, Kept> kept_;
};

// What the locks of document 003 share: SELECT ... FOR UPDATE NOWAIT, then insert, or take over what has expired by the
// client's clock, guarded by the expiry that was read. Every exception of the read and of the insert is caught and read
// as a refusal, as printed: also one whose statement may have taken effect.
//
// The expiry is a local time of the client's program (LocalDateTime), sent and read as it stands: what zone it is of
// nobody says, and the server takes it to be of the session's.
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
