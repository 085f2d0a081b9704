#include "checker/surely_free.hpp"

#include <algorithm>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

void add_once(std::vector<std::uint32_t>& clients, std::uint32_t client) {
  if (std::find(clients.begin(), clients.end(), client) == clients.end()) clients.push_back(client);
}

}  // namespace

std::int64_t taken_at_most_ns(std::int64_t lease_ns, const HistoryHeader& header) {
  const std::int64_t most_ns = std::max(lease_ns, header.lease_ns);
  const std::int64_t whole_ns = (most_ns + kSecond_ns - 1) / kSecond_ns * kSecond_ns;
  return whole_ns + kSecond_ns + header.guard_ns;
}

SurelyFree::Key& SurelyFree::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void SurelyFree::granted(const Hold& hold) {
  Key& key = at(hold.key);
  key.released_ns = -1;
  key.lease_ns = std::max(key.lease_ns, hold.lease_ns);
  if (hold.shared) {
    key.shared = true;
  } else {
    key.reader_until_ns = -1;
  }
  std::erase_if(key.entered_again, [&hold](std::uint32_t client) { return client != hold.client; });
}

void SurelyFree::enters_again(Key& key, const Event& event) const {
  const bool enters = event.op == Op::acquire && event.type != EventType::fail;
  const bool stays = event.op == Op::release && event.type == EventType::info;
  if (!context_.header.reenters || (!enters && !stays)) return;
  const std::int64_t invoked_ns = context_.holds.operation().invoked_ns;
  const bool twice = context_.faults.struck_between(event.client, invoked_ns, event.time_ns);
  if (twice || event.type == EventType::info) add_once(key.entered_again, event.client);
}

void SurelyFree::reader_left(Key& key, std::int64_t time_ns) const {
  if (!key.shared) return;
  const bool lapses = std::max(key.lease_ns, context_.header.lease_ns) > 0;
  key.reader_until_ns = lapses ? time_ns + taken_at_most_ns(key.lease_ns, context_.header) : kNever;
}

void SurelyFree::event(const Event& event) {
  if (event.actor == Actor::nemesis && event.step == FaultStep::kill) {
    for (Key& key : keys_) {
      key.released_ns = -1;
      reader_left(key, event.time_ns);
    }
  }
  if (event.actor != Actor::client || event.type == EventType::invoke || event.op == Op::write) return;
  Key& key = at(event.key);
  const bool refused = event.op == Op::acquire && event.type == EventType::fail;
  if (event.op == Op::leave || (event.type != EventType::ok && !refused)) reader_left(key, event.time_ns);
  if (event.op == Op::leave) return;
  enters_again(key, event);
  if (event.op == Op::release) {
    const auto& again = key.entered_again;
    const bool is_last = std::find(again.begin(), again.end(), event.client) == again.end();
    const bool is_free = is_last && took_effect(event) && context_.holds.believers(event.key).empty();
    key.released_ns = is_free ? event.time_ns : -1;
  } else if (event.type == EventType::info) {
    key.released_ns = -1;
    add_once(key.left_unanswered, event.client);
  }
}

std::optional<std::int64_t> SurelyFree::since_ns(std::uint32_t key) const {
  if (key >= keys_.size() || keys_[key].released_ns < 0) return std::nullopt;
  const Key& known = keys_[key];
  for (const std::uint32_t client : known.left_unanswered) {
    const FaultLog::Reach reach = context_.faults.reach_of(client);
    const bool arrived = reach.quiet_since_ns < 0 || known.released_ns > reach.quiet_since_ns + kOnItsWay_ns;
    if (reach.in_force || !arrived) return std::nullopt;
  }
  if (known.reader_until_ns > context_.holds.now_ns()) return std::nullopt;
  return std::max(known.released_ns, known.reader_until_ns);
}

}  // namespace holdfast
