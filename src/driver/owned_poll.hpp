// Asks the library of a lock in another language, while the lock is held, whether it says that it holds it.
//
//   OwnedPoll poll(program, 50);                            // every 50 ms; 0: never
//   if (poll.said_no(question, granted_ns, free_ms)) ...    // returns at once
//   poll.settle(); program.ask(release);                    // before anything else is asked
//
// There is one question at a time, and none that would hold up another request: it is asked only where nothing else is
// to be asked for twice as long as the last one took, so that a write need not wait for it. One that hangs, as in a
// cut, does hold up a program that answers one request after another, as it would any program that asks; one that can
// `threads` goes on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "adapter/adapter_program.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"

namespace holdfast {

class OwnedPoll {
 public:
  OwnedPoll(AdapterProgram& program, std::int64_t every_ms)
      : program_(program), every_ns_(every_ms * kMillisecond_ns) {}

  // Whether a question that was asked since the grant was answered with no. Asks the next one where it is due.
  bool said_no(const AdapterMessage& question, std::int64_t granted_ns, std::int64_t free_ms) {
    if (every_ns_ == 0) return false;
    if (open_) take(program_.wait_for(*open_, 0));
    const auto found = no_ns_.find(*question.lock);
    if (found != no_ns_.end() && found->second > granted_ns) return true;
    const std::int64_t now_ns = monotonic_ns();
    if (open_ || now_ns < next_ns_ || free_ms * kMillisecond_ns < 2 * took_ns_) return false;
    open_ = program_.send(question);
    about_ = *question.lock;
    next_ns_ = now_ns + every_ns_;
    return false;
  }
  // Before anything else is asked.
  void settle() {
    if (open_) take(program_.wait(*open_));
  }

 private:
  void take(const std::optional<AdapterSaid>& said) {
    if (!said) return;
    open_.reset();
    took_ns_ = said->read_ns - said->sent_ns;
    if (said->message.name == MessageName::no) no_ns_[about_] = said->sent_ns;
  }

  AdapterProgram& program_;
  const std::int64_t every_ns_;
  std::optional<std::int64_t> open_;  // its number
  std::string about_;                 // the lock
  std::int64_t next_ns_ = 0;
  std::int64_t took_ns_ = 0;                   // the last one
  std::map<std::string, std::int64_t> no_ns_;  // by lock: when the last was asked that was answered so
};

}  // namespace holdfast
