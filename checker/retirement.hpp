// The rule that an identity retires: after an indeterminate acquire or release a process of a bare history may send one
// release to clean up, and nothing else. Whoever goes on under the same name makes its own answers ambiguous, so what
// would hold is undecided. (In our own runs the clients keep to the rule, so nothing is watched.)
#pragma once

#include <string>
#include <vector>

#include "artifact/event.hpp"

namespace holdfast {

class Retirement {
 public:
  // `line` is the event's line in its file.
  void event(const Event& event, std::uint64_t line);

  bool broken() const { return line_ != 0; }
  std::uint64_t line() const { return line_; }  // of the first operation that broke it
  std::uint32_t process() const { return process_; }

 private:
  enum class State : std::uint8_t { active, may_clean_up, retired };
  std::vector<State> states_;  // by process
  std::uint64_t line_ = 0;
  std::uint32_t process_ = 0;
};

}  // namespace holdfast
