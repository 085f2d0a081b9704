// A lock as its load drives it, whatever it is written in: the one interface between the load loop (load_loop.hpp) and
// a lock. A lock in C++ is behind LockDriver (lock_driver.hpp).
//
// Each thread of a client has a driver of its own. A call returns when the lock has answered; nothing is thrown for
// what a lock or its server answers: `fail` surely had no effect, `info` may have had one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "lock/lock.hpp"
#include "store/session.hpp"

namespace holdfast {

class Driver {
 public:
  virtual ~Driver() = default;
  virtual Answer start(const std::string& key) = 0;  // the application's, before any attempt
  // A grant with a reason (`cancelled`, `timeout`) came when nobody waited for it any more.
  virtual Answer acquire(Claim& claim) = 0;
  // Of a lock that nobody asks, because it begins jobs by itself: the next one, as soon as it has begun. Nothing: none
  // has for `wait_ms`.
  virtual std::optional<Answer> job(Claim&, std::int64_t /*wait_ms*/) { return std::nullopt; }
  virtual Answer renew(Claim& claim) = 0;
  virtual Answer release(Claim& claim) = 0;
  // One renewal of a watchdog, which has a driver of its own.
  virtual Answer background(Claim& claim) = 0;
  // The client's own look at its deadline; who cannot see that it holds the lock acts as if it did not.
  virtual bool still_held(const Claim& claim) = 0;
  // Returns when the program that has the lock is seen to run: asked before every write, so that none is made while
  // that program stands still. What is in the client's own process runs.
  virtual void pulse() {}
  // Whether the lock has said, unasked or when it was asked whether it holds, that the claim is lost. Returns at once.
  // `free_ms`: for how long nothing else will be asked of it; a question that may take longer is not begun.
  virtual bool said_lost(const Claim&, std::int64_t /*free_ms*/) { return false; }
  // The thread that holds, of a lock that is a program of its own, sleeps for so long while others of that program go
  // on; `seen` is called whenever one was seen to. What is in the client's own process sleeps as its thread does.
  virtual void block(std::int64_t /*ms*/, const std::function<void()>& /*seen*/) {}
  // The lease of the last grant or renewal, where the lock said another one than it was asked for.
  virtual std::optional<std::int64_t> answered_lease_ms() const { return std::nullopt; }
  // Why the last call did not succeed, in the words of the lock or its server; empty where it said none.
  virtual std::string why() const = 0;
};

// A kind of driver: how a lock is brought to answer calls. A lock says which is its own (LockType::driver).
//
// One file a kind: kinds/NAME.cpp defines `const DriverType driver_NAME`. Nothing else is edited.
//
//   auto lock = driver_type(type.driver).begin(type, facts);     // once a client
//   auto driver = lock->driver(session, thread);                 // once a thread

// A server, as a program of its own is to reach it.
struct ServerPlace {
  std::string kind;  // a folder of src/servers
  std::string role;  // "lock", "replica"
  std::string host;
  unsigned port = 0;
  std::string user;
  std::string database;
};

// What a lock that is a program of its own has to be told of its client.
struct ClientFacts {
  std::uint32_t client = 0;
  std::uint64_t seed = 0;
  std::string owner;               // unique in the trial
  std::int64_t lease_ms = 0;       // as promised
  std::vector<std::string> locks;  // that the client uses
  std::vector<ServerPlace> servers;
  std::int64_t ask_owned_ms = 0;     // a holder asks so often whether it holds; 0: as its promise needs
  std::int64_t cancel_after_ms = 0;  // an acquire that has waited for so long is cancelled; 0: never
  bool shared = false;               // its acquires ask for a lock that others may share
  std::string log;                   // a path: where it says what it has to say
  bool wall_is_asked = false;        // a fault may set its wall clock wrong
  // Told, then, of its wall clock, again and again: how far it is ahead of the host's.
  std::function<void(std::int64_t ns)> told_wall = nullptr;
  // Told of what its lock's observer sees: which client leads, and when that was read. Nothing: nobody does. False: it
  // is no lock of the client's.
  std::function<bool(const std::string& lock, std::optional<std::uint32_t> holder, std::int64_t read_ns)> observed =
      nullptr;
  std::function<void(pid_t)> began = nullptr;  // told of its process group
  std::string prefix;                // of the names of locks, where it is told of them: on a server of the user's own
  std::vector<std::string> through;  // a program of ours that stands for it, since it runs on another host; empty: none
};

// What the threads of one client share, as those of a program share a lock library.
class DrivenLock {
 public:
  virtual ~DrivenLock() = default;
  // The session is the thread's own, with the lock's server; it outlives the driver.
  virtual std::unique_ptr<Driver> driver(Session& session, std::uint32_t thread) = 0;
  // The program ends, if the lock is one: in good order, or HarnessError.
  virtual void end() {}
};

struct DriverType {
  const char* about = "";   // one line, for people
  bool has_session = true;  // it uses its session; a program of its own has connections of its own
  std::unique_ptr<DrivenLock> (*begin)(const LockType& lock, const ClientFacts& facts) = nullptr;
};

const std::vector<Entry<DriverType>>& drivers();

// Throws HarnessError: a lock names a kind that is not there.
const DriverType& driver_type(const std::string& name);

}  // namespace holdfast
