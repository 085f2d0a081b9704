// A lock as its load drives it, whatever it is written in: the one interface between the load loop (load_loop.hpp) and
// a lock. A lock in C++ is behind LockDriver (lock_driver.hpp).
//
// Each thread of a client has a driver of its own. A call returns when the lock has answered; nothing is thrown for
// what a lock or its server answers: `fail` surely had no effect, `info` may have had one.
#pragma once

#include <string>

#include "lock/lock.hpp"

namespace holdfast {

class Driver {
 public:
  virtual ~Driver() = default;
  virtual Answer start(const std::string& key) = 0;  // the application's, before any attempt
  virtual Answer acquire(Claim& claim) = 0;
  virtual Answer renew(Claim& claim) = 0;
  virtual Answer release(Claim& claim) = 0;
  // One renewal of a watchdog, which has a driver of its own.
  virtual Answer background(Claim& claim) = 0;
  // The client's own look at its deadline; who cannot see that it holds the lock acts as if it did not.
  virtual bool still_held(const Claim& claim) = 0;
  // Returns when the program that has the lock is seen to run: asked before every write, so that none is made while
  // that program stands still. What is in the client's own process runs.
  virtual void pulse() {}
  // Whether the lock has said, without being asked, that the claim is lost. Answers at once.
  virtual bool said_lost(const Claim&) { return false; }
  // Why the last call did not succeed, in the words of the lock or its server; empty where it said none.
  virtual std::string why() const = 0;
};

}  // namespace holdfast
