#include "checker/late_writes.hpp"

namespace holdfast {

void LateWrites::event(const Event& event, const Holds& holds) {
  if (event.actor != Actor::client || event.op != Op::write || event.number == 0) return;
  SentWrite& write = sent_[{event.client, event.number}];
  if (event.type == EventType::ok) write.accepted_ns = event.time_ns;
  if (event.type != EventType::invoke) return;
  const Hold* hold = holds.operation().hold;
  const bool by_holder = hold != nullptr && hold->number == event.grant;
  write = {event.time_ns, kNever, event.index, by_holder && hold->valid_at(event.time_ns)};
}

const SentWrite* LateWrites::sent(std::uint32_t client, std::uint64_t number) const {
  const auto at = sent_.find({client, number});
  return at == sent_.end() ? nullptr : &at->second;
}

const SentWrite* LateWrites::find(std::uint32_t client, std::uint64_t number, const GrantRegister::Grant& earlier,
                                  const GrantRegister::Grant& later) const {
  const auto at = sent_.find({client, number});
  if (at == sent_.end() || !at->second.by_holder) return nullptr;
  if (earlier.ended_ns > later.granted_ns) return nullptr;
  if (at->second.accepted_ns <= later.granted_ns) return nullptr;
  return &at->second;
}

}  // namespace holdfast
