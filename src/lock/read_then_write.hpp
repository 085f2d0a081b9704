// A common first attempt: read whether the row is free, then write it, in one transaction. The isolation level of its
// sessions decides whether this excludes other clients.
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
