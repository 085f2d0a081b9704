// The one interface between the load loop (load_loop.hpp) and a lock in any language. LockDriver (lock_driver.hpp)
// implements it for locks in C++.
//
// Each thread of a client has its own driver. A call returns when the lock has answered. Errors of the lock or its
// server are values, not exceptions: `fail` surely had no effect, `info` may have had one. Leases and waits are in
// milliseconds; names ending in _ns are nanoseconds. Claim and Answer are defined in lock/lock.hpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "history/event.hpp"
#include "lock/lock.hpp"
#include "store/session.hpp"

namespace holdfast {

class Driver {
 public:
  virtual ~Driver() = default;
  virtual Answer start(const std::string& key) = 0;  // runs once for the application, before any attempt
  // Acquires. A grant with a reason (`cancelled`, `timeout`) arrived after its caller had given up.
  virtual Answer acquire(Claim& claim) = 0;
  // Returns the next job that a scheduler's lock has begun by itself, or nothing after `wait_ms` without one.
  virtual std::optional<Answer> job(Claim&, std::int64_t /*wait_ms*/) { return std::nullopt; }
  virtual Answer renew(Claim& claim) = 0;
  virtual Answer release(Claim& claim) = 0;
  // Performs one renewal of a watchdog, which has its own driver.
  virtual Answer background(Claim& claim) = 0;
  // Checks the client's own deadline. Returns false also if the client cannot tell whether it holds the lock.
  virtual bool still_held(const Claim& claim) = 0;
  // Returns when the lock's program is seen to run. Called before every write, so that no write is made while that
  // program is stopped. For locks in the client's process it returns immediately.
  virtual void pulse() {}
  // Returns true if the lock has reported the claim as lost, by itself or in answer to a question. Never waits.
  // `free_ms`: time in which no other request will be sent; a question that may take longer is not asked.
  virtual bool said_lost(const Claim&, std::int64_t /*free_ms*/) { return false; }
  // Blocks the holding thread of a separate lock program for that long while its other threads run; calls `seen`
  // whenever one of them is seen to run. For locks in the client's process the thread itself sleeps.
  virtual void block(std::int64_t /*ms*/, const std::function<void()>& /*seen*/) {}
  // Lease of the last grant or renewal, if the lock stated one other than the requested lease.
  virtual std::optional<std::int64_t> answered_lease_ms() const { return std::nullopt; }
  // Why the last call failed, in the words of the lock or its server; empty: no reason given.
  virtual std::string why() const = 0;
};

// A kind of driver: how calls reach the lock. Each lock names its kind (LockType::driver).
//
// To add one, write kinds/NAME.cpp that defines `const DriverType driver_NAME`. There is no list to edit.
//
//   auto lock = driver_type(type.driver).begin(type, facts);     // once per client
//   auto driver = lock->driver(session, thread);                 // once per thread

// A server, as a separate lock program reaches it.
struct ServerPlace {
  std::string kind;  // a folder of src/servers
  std::string role;  // "lock", "replica"
  std::string host;
  unsigned port = 0;
  std::string user;
  std::string database;
};

// Facts about the client that a separate lock program needs.
struct ClientFacts {
  std::uint32_t client = 0;
  std::uint64_t seed = 0;
  std::string owner;               // unique in the trial
  std::int64_t lease_ms = 0;       // as promised
  std::vector<std::string> locks;  // names used by the client
  std::vector<ServerPlace> servers;
  std::int64_t ask_owned_ms = 0;     // a holder asks so often whether it holds; 0: as its promise needs
  std::int64_t cancel_after_ms = 0;  // an acquire that has waited for so long is cancelled; 0: never
  bool shared = false;               // its acquires ask for a lock that others may share
  std::string log;                   // a path: where it says what it has to say
  bool wall_is_asked = false;        // a fault may set its wall clock wrong
  // Called repeatedly with the offset of the program's wall clock from the host's.
  std::function<void(std::int64_t ns)> told_wall = nullptr;
  // Called with the leader that the lock's observer sees and the time of that reading; empty: no leader. Returns false
  // if the client does not use that lock.
  std::function<bool(const std::string& lock, std::optional<std::uint32_t> holder, std::int64_t read_ns)> observed =
      nullptr;
  // Called with evaluations of the author's assertions and the time at which they were read.
  std::function<void(const Evaluated& evaluated, EventType result, std::int64_t read_ns)> asserted = nullptr;
  std::function<void(pid_t)> began = nullptr;  // called with its process group
  std::string prefix;                          // prefix of lock names on a user's own server
  // command of the holdfast process that stands in for a program on another host; empty: none
  std::vector<std::string> through;
};

// State shared by a client's threads, as threads of a program share a lock library.
class DrivenLock {
 public:
  virtual ~DrivenLock() = default;
  // Makes a driver for a thread. The session is the thread's own, with the lock's server, and outlives the driver.
  virtual std::unique_ptr<Driver> driver(Session& session, std::uint32_t thread) = 0;
  // Ends a separate lock program cleanly, or throws HarnessError.
  virtual void end() {}
};

struct DriverType {
  const char* about = "";   // one line, for people
  bool has_session = true;  // it uses its session; false: the program has its own connections
  std::unique_ptr<DrivenLock> (*begin)(const LockType& lock, const ClientFacts& facts) = nullptr;
};

const std::vector<Entry<DriverType>>& drivers();

// Finds a kind of driver. Throws HarnessError for an unknown name.
const DriverType& driver_type(const std::string& name);

}  // namespace holdfast
