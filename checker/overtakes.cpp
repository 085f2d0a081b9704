#include "checker/overtakes.hpp"

#include <algorithm>

namespace holdfast {

void Overtakes::asked(const Event& event) {
  Waited& waited = waiting_[event.key].emplace_back();
  waited.process = event.process;
  waited.client = event.client;
  waited.key = event.key;
  waited.called_ns = event.time_ns;
  waited.invoke_index = event.index;
}

void Overtakes::answered(const Event& event, const Operation& operation) {
  std::vector<Waited>& waiting = waiting_[event.key];
  std::size_t own = 0;
  while (own < waiting.size() && waiting[own].process != event.process) ++own;
  if (own == waiting.size()) return;
  Waited& waited = waiting[own];
  waited.granted = event.type == EventType::ok;
  waited.answered_ns = event.time_ns;
  waited.index = event.index;
  if (waited.granted && operation.hold == nullptr) pass(waiting, own, event);
  over(waited);
  waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(own));
}

void Overtakes::pass(std::vector<Waited>& waiting, std::size_t granted, const Event& event) {
  const Waited& later = waiting[granted];
  for (std::size_t i = 0; i < granted && waiting[i].called_ns < later.called_ns; ++i) {
    ++waiting[i].overtaken;
    if (most_shown_ == 0) continue;
    auto& by = passed_[waiting[i].invoke_index];
    if (by.size() < most_shown_) {
      by.push_back({later.process, later.client, later.called_ns, later.invoke_index, event.index});
    }
  }
}

void Overtakes::over(const Waited& one) {
  if (passed_.empty()) return over_(one, nobody_);
  const auto by = passed_.find(one.invoke_index);
  over_(one, by == passed_.end() ? nobody_ : by->second);
  if (by != passed_.end()) passed_.erase(by);
}

void Overtakes::killed(const Event& event) {
  for (auto& waiting : waiting_) {
    std::erase_if(waiting, [&](const Waited& w) {
      return std::find(event.clients.begin(), event.clients.end(), w.client) != event.clients.end();
    });
  }
}

void Overtakes::finish() {
  for (const auto& waiting : waiting_) {
    for (const Waited& one : waiting) over(one);
  }
}

}  // namespace holdfast
