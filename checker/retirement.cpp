#include "checker/retirement.hpp"

namespace holdfast {

void Retirement::event(const Event& event, const TiedEvents& events) {
  if (event.actor != Actor::client || event.op == Op::leave) return;
  if (event.process >= states_.size()) states_.resize(event.process + 1, State::active);
  State& state = states_[event.process];
  if (event.type == EventType::info && event.op == Op::acquire) state = State::may_clean_up;
  // Of a release that was a clean-up itself there is no other.
  const bool uncertain_release = event.type == EventType::info && event.op == Op::release;
  if (uncertain_release && state == State::active) state = State::may_clean_up;
  if (event.type != EventType::invoke || state == State::active) return;
  if (state == State::may_clean_up && event.op == Op::release) {
    state = State::retired;
  } else if (!broken()) {
    place_ = events.place();
    process_ = event.process;
  }
}

}  // namespace holdfast
