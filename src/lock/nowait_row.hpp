// Common part of the locks of document 003: the owner kept per thread, and SELECT ... FOR UPDATE NOWAIT.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "lock/lock.hpp"
#include "store/session.hpp"

namespace holdfast {

// The owner that document 003 keeps in thread-local storage: created on first use, and forgotten after each release,
// whatever its result. A thread has one owner for all its keys. Here a session identifies the thread.
class ThreadOwner {
 public:
  // `unique`: a text that no other thread has; the owner derived from it changes after each `forget`.
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

// Common part of the locks of document 003: SELECT ... FOR UPDATE NOWAIT, then an insert, or a takeover of what has
// expired on the client's clock, guarded by the expiry that was read. Every exception of the read and the insert is
// caught and treated as a refusal, as printed, including one whose statement may have taken effect.
//
// The expiry is a local time of the client's program (LocalDateTime), sent and read unchanged: its zone is not
// transmitted, and the server assumes the session's.
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
