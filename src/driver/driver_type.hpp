// A kind of driver: how a lock is brought to answer calls. A lock says which is its own (LockType::driver). Read
// driver.hpp first.
//
// One file a kind: kinds/NAME.cpp defines `const DriverType driver_NAME`. Nothing else is edited.
//
//   auto lock = driver_type(type.driver).begin(type);     // once a client
//   auto driver = lock->driver(session);                  // once a thread
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "driver/driver.hpp"
#include "lock/lock.hpp"
#include "store/session.hpp"

namespace holdfast {

// What the threads of one client share, as those of a program share a lock library.
class DrivenLock {
 public:
  virtual ~DrivenLock() = default;
  // The session is the thread's own, with the lock's server; it outlives the driver.
  virtual std::unique_ptr<Driver> driver(Session& session) = 0;
};

struct DriverType {
  const char* about = "";  // one line, for people
  std::unique_ptr<DrivenLock> (*begin)(const LockType& lock) = nullptr;
};

const std::vector<Entry<DriverType>>& drivers();

// Throws HarnessError: a lock names a kind that is not there.
const DriverType& driver_type(const std::string& name);

}  // namespace holdfast
