#include "checker/retirement.hpp"

namespace holdfast {

void Retirement::unanswered(const Event& event) {
  State& state = states_[event.process];
  if (event.op == Op::acquire) state = State::may_clean_up;
  // A release that was a clean-up itself has no other.
  const bool uncertain_release = event.op == Op::release;
  if (uncertain_release && state == State::active) state = State::may_clean_up;
}

bool Retirement::breaks(const Event& call, const TiedEvents& events) {
  State& state = states_[call.process];
  if (state == State::may_clean_up && call.op == Op::release) {
    state = State::retired;
    return false;
  }
  if (!broken()) {
    place_ = events.place();
    process_ = call.process;
  }
  return true;
}

}  // namespace holdfast
