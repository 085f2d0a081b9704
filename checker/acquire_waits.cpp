#include "checker/acquire_waits.hpp"

#include <algorithm>

namespace holdfast {

void AcquireWaits::granted(const Hold& hold) {
  if (hold.client >= waits_.size()) return;
  Wait& wait = waits_[hold.client];
  if (!wait.waiting || wait.key != hold.key) return;
  (wait.contended ? contended_ns_ : uncontended_ns_).push_back(hold.granted_ns - wait.since_ns);
  wait = {};
}

void AcquireWaits::asked(const Event& event) {
  const auto& holders = holds_.believers(event.key);
  const auto mine = [&](const Hold* t) { return t->process == event.process; };
  if (std::any_of(holders.begin(), holders.end(), mine)) return;  // a holder that acquires again waits for nobody
  if (event.client >= waits_.size()) waits_.resize(event.client + 1);
  bool contended = !holders.empty();
  for (Wait& other : waits_) {
    if (&other == &waits_[event.client] || !other.open || other.key != event.key) continue;
    other.contended = contended = true;
  }
  Wait& wait = waits_[event.client];
  const bool again = wait.waiting && wait.key == event.key;  // an attempt before it failed
  if (!again) wait = {true, true, contended, event.key, event.time_ns};
  wait.open = true;
  wait.contended = wait.contended || contended || again;
}

void AcquireWaits::event(const Event& event) {
  if (event.actor == Actor::nemesis && event.step == FaultStep::kill) {
    for (const auto client : event.clients) {
      if (client < waits_.size()) waits_[client] = {};
    }
  }
  if (event.actor != Actor::client || event.op != Op::acquire) return;
  if (event.type == EventType::invoke) return asked(event);
  if (event.client < waits_.size()) waits_[event.client].open = false;
}

}  // namespace holdfast
