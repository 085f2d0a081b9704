// Drives a C++ lock from the catalogue through a session.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "driver/driver.hpp"
#include "lock/lock.hpp"
#include "store/session.hpp"

namespace holdfast {

class LockDriver : public Driver {
 public:
  // Threads of a client share one lock.
  LockDriver(std::shared_ptr<Lock> lock, Session& session) : lock_(std::move(lock)), session_(session) {}

  Answer start(const std::string& key) override {
    return outcome([&] {
      lock_->start(session_, key);
      return Answer::done();
    });
  }
  Answer acquire(Claim& claim) override {
    return outcome([&] { return lock_->acquire(session_, claim); });
  }
  Answer renew(Claim& claim) override {
    return outcome([&] { return lock_->renew(session_, claim); });
  }
  Answer release(Claim& claim) override {
    return outcome([&] { return lock_->release(session_, claim); });
  }
  Answer background(Claim& claim) override {
    return outcome([&] { return lock_->background(session_, claim); });
  }
  bool still_held(const Claim& claim) override;

  std::string why() const override { return why_; }

  // Returns true if the last call ended in an error that a lock should not have to expect.
  bool unexpected() const { return unexpected_; }

 private:
  template <class Work>
  Answer outcome(Work work) {
    session_.take_changed();
    why_.clear();
    unexpected_ = false;
    try {
      return work();
    } catch (const StatementFailed& failed) {
      return outcome_of(failed);
    }
  }
  Answer outcome_of(const StatementFailed& failed);

  std::shared_ptr<Lock> lock_;
  Session& session_;
  std::string why_;
  bool unexpected_ = false;
};

}  // namespace holdfast
