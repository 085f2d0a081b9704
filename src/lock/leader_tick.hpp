// What the leader locks of document 001 share: the tick. A leader lock says only who the owner is.
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
