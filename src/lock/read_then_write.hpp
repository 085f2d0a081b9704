// What is often written first: read whether the row is free, then write it, in one transaction. Whether that keeps
// anybody out is up to the isolation level of its sessions.
#pragma once

#include <string>

#include "lock/lock.hpp"

namespace holdfast {

class ReadThenWrite : public Lock {
 public:
  void start(Session& session, const std::string& key) override;  // statement `create`
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
};

}  // namespace holdfast
