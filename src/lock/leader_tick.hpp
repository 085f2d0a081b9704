// What the leader locks of document 001 share: the tick. A leader lock says only who the owner is.
//
// A process asks at a fixed delay whether it leads or not, works in the ticks that say that it does, and never leaves.
// So nobody else is ever granted the lock unless something happens to the leader; scenarios expect `progress` and
// `resource` to be `not_exercised` where nothing does.
#pragma once

#include <string>

#include "lock/lock.hpp"

namespace holdfast {

class LeaderLock : public Lock {
 public:
  void start(Session& session, const std::string& key) override;
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;

 protected:
  virtual std::string owner(Session& session, const Claim& claim) const = 0;

 private:
  enum class Tick : std::uint8_t { promoted, stay, leave, unknown };
  Tick tick(Session& session, const Claim& claim) const;
};

}  // namespace holdfast
