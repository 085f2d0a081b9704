// The trial's time. Every fault has it unasked.
#pragma once

#include <cstdint>

namespace holdfast {

class TrialTime {
 public:
  virtual ~TrialTime() = default;
  virtual std::int64_t now_ns() const = 0;    // of the trial
  virtual std::int64_t load_ns() const = 0;   // when the load began; before that -1
  virtual bool closing() const = 0;           // everything is to be healed now
  virtual bool wait_ms(std::int64_t ms) = 0;  // false: closing before the time was over
};

}  // namespace holdfast
