// Asks a lock library in another language at intervals, while the lock is held, whether it still considers it held.
//
//   OwnedPoll poll(program, 50);                            // every 50 ms; 0: never
//   if (poll.said_no(question, granted_ns, free_ms)) ...    // returns at once
//   poll.settle(); program.ask(release);                    // before any other request
//
// At most one question is open, and it must not delay another request: it is asked only if no other request is due for
// twice the duration of the last question. A question that hangs, for example during a cut, does delay a program that
// answers requests one by one, as it would in any program that asks. Programs that declare `threads` are not delayed.
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

  // Returns true if a question asked since the grant was answered with no. Asks the next question when it is due.
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
  // Waits for the open question; call before any other request.
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
  std::optional<std::int64_t> open_;  // number of the open question
  std::string about_;                 // the lock in question
  std::int64_t next_ns_ = 0;
  std::int64_t took_ns_ = 0;                   // duration of the last question
  std::map<std::string, std::int64_t> no_ns_;  // by lock: when the last question was asked that was answered with no
};

}  // namespace holdfast
