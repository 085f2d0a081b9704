// The rule that an identity retires: after an indeterminate acquire or release a process of a foreign history may send
// one release to clean up, and nothing else. A process that continues under the same name makes its own answers
// ambiguous: the unanswered operation may still take effect on its later state. Rules do not see that, so all orders
// are tried (key_orders.hpp); if that is too much, or the model has no such search, properties that would hold are
// undecided. (Clients of holdfast's own runs keep to the rule, so they are not watched.)
#pragma once

#include <string>

#include "checker/by_id.hpp"
#include "history/tied_events.hpp"

namespace holdfast {

class Retirement {
 public:
  // True if the call of an operation breaks the rule.
  bool called(const Event& event, const TiedEvents& events) {
    const State* const state = states_.find(event.process);
    return state != nullptr && *state != State::active && breaks(event, events);
  }
  // Notes an answer of unknown meaning.
  void unanswered(const Event& event);

  bool broken() const { return !place_.empty(); }
  const std::string& place() const { return place_; }  // the first operation that broke it
  std::uint32_t process() const { return process_; }

 private:
  enum class State : std::uint8_t { active, may_clean_up, retired };
  bool breaks(const Event& call, const TiedEvents& events);
  ById<State> states_;  // by process
  std::string place_;
  std::uint32_t process_ = 0;
};

}  // namespace holdfast
