// Common part of the leader locks of document 001: the tick. Each lock defines only the owner's name.
//
// Each process asks at a fixed delay whether it leads, works in the ticks with the answer yes, and never leaves. So no
// other client is granted the lock unless something happens to the leader; without faults, scenarios expect `progress`
// and `resource` to be `not_exercised`.
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
