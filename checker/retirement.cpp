#include "checker/retirement.hpp"

namespace holdfast {

bool Retirement::event(const Event& event, const TiedEvents& events) {
  if (event.actor != Actor::client || event.op == Op::leave) return false;
  const bool says_nothing = event.type == EventType::ok || event.type == EventType::fail;
  if (says_nothing) return false;
  State& state = states_[event.process];
  if (event.type == EventType::info && event.op == Op::acquire) state = State::may_clean_up;
  // Of a release that was a clean-up itself there is no other.
  const bool uncertain_release = event.type == EventType::info && event.op == Op::release;
  if (uncertain_release && state == State::active) state = State::may_clean_up;
  if (event.type != EventType::invoke || state == State::active) return false;
  if (state == State::may_clean_up && event.op == Op::release) {
    state = State::retired;
    return false;
  }
  if (!broken()) {
    place_ = events.place();
    process_ = event.process;
  }
  return true;
}

}  // namespace holdfast
