#include "checker/late_writes.hpp"

#include <algorithm>
#include <iterator>

namespace holdfast {
namespace {

constexpr std::size_t kMostOverlaps = 100'000;

// Finds a number in a list whose numbers ascend; returns its end if it is absent.
template <typename Grants>
auto number_in(Grants& all, std::uint64_t number) {
  const auto at = std::lower_bound(all.begin(), all.end(), number, [](const auto& g, auto n) { return g.number < n; });
  return at != all.end() && at->number == number ? at : all.end();
}

}  // namespace

void GrantRegister::add(const Hold& hold) {
  if (hold.client >= grants_.size()) grants_.resize(hold.client + 1);
  const Grant grant{static_cast<std::uint32_t>(hold.number), static_cast<std::uint32_t>(hold.grant_index), hold.sent_ns,
                    hold.granted_ns, kNever};
  auto& all = grants_[hold.client];
  // Threads of one client number their operations together, and need not be answered in that order.
  auto at = all.end();
  while (at != all.begin() && std::prev(at)->number > grant.number) --at;
  all.insert(at, grant);
}

void GrantRegister::end(const Hold& hold) {
  if (hold.client >= grants_.size()) return;
  auto& all = grants_[hold.client];
  const auto at = number_in(all, hold.number);
  if (at != all.end()) at->ended_ns = hold.ended_ns;
}

void GrantRegister::add(const Overlap& overlap, OverlapKind kind) {
  if (overlaps_.size() >= kMostOverlaps) return;
  const Id a{overlap.earlier->client, overlap.earlier->number};
  const Id b{overlap.later->client, overlap.later->number};
  overlaps_.emplace(std::minmax(a, b), std::move(kind));
  if (holdfast::served_before(*overlap.earlier, *overlap.later)) in_turn_.emplace(a, b);
  if (holdfast::served_before(*overlap.later, *overlap.earlier)) in_turn_.emplace(b, a);
}

const GrantRegister::Grant* GrantRegister::find(std::uint32_t client, std::uint64_t number) const {
  if (client >= grants_.size()) return nullptr;
  const auto& all = grants_[client];
  const auto at = number_in(all, number);
  return at != all.end() ? &*at : nullptr;
}

const OverlapKind* GrantRegister::overlap(std::uint32_t client_a, std::uint64_t number_a, std::uint32_t client_b,
                                          std::uint64_t number_b) const {
  const Id a{client_a, number_a};
  const Id b{client_b, number_b};
  const auto at = overlaps_.find(std::minmax(a, b));
  return at == overlaps_.end() ? nullptr : &at->second;
}

bool GrantRegister::served_before(std::uint32_t client_a, std::uint64_t number_a, std::uint32_t client_b,
                                  std::uint64_t number_b) const {
  return in_turn_.contains({{client_a, number_a}, {client_b, number_b}});
}

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
