#include "runner/trial_world.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 20;

void describe(const Moment& at, Trigger& trigger) {
  trigger.on_statement = !at.statement.empty();
  trigger.after = at.after;
  trigger.nth = at.nth;
  trigger.client = at.client ? static_cast<std::int32_t>(*at.client) : -1;
  if (trigger.on_statement) {
    if (at.statement.size() >= trigger.statement.size()) throw BadInput("statement name too long: " + at.statement);
    std::memcpy(trigger.statement.data(), at.statement.c_str(), at.statement.size() + 1);
    return;
  }
  const auto phase = phase_from_text(at.phase);
  if (!phase) throw BadInput(unknown_word("phase", at.phase, phase_names()));
  trigger.phase = *phase;
}

}  // namespace

bool TrialWorld::wait_ms(std::int64_t ms) {
  for (const std::int64_t until_ns = now_ns() + ms * 1'000'000; !closing();) {
    const std::int64_t left_ns = until_ns - now_ns();
    if (left_ns <= 0) return true;
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<std::int64_t>(left_ns, kLook_ms * 1'000'000)));
  }
  return false;
}

void TrialWorld::set_clock_offset(std::uint32_t client, std::int64_t ns) {
  page_.clients.at(client).wall_offset_ns.store(ns);
}

std::int64_t TrialWorld::clock_offset_seen(std::uint32_t client) const {
  return page_.clients.at(client).wall_observed_ns.load();
}

Victims TrialWorld::holders() const {
  Victims out;
  for (std::uint32_t c = 0; c < clients(); ++c) {
    if (page_.clients[c].holding.load() > 0) out.push_back(c);
  }
  return out;
}

Victims TrialWorld::waiters() const {
  Victims out;
  for (std::uint32_t c = 0; c < clients(); ++c) {
    if (page_.clients[c].waiting.load() > 0) out.push_back(c);
  }
  return out;
}

std::optional<std::uint32_t> TrialWorld::wait_arrival(const Moment& at, std::size_t fault_number) {
  Trigger& trigger = page_.triggers.at(fault_number);
  describe(at, trigger);
  arm(page_, trigger);
  while (!wait_reached(trigger, kLook_ms)) {
    if (closing() && disarm(trigger)) return std::nullopt;
  }
  return trigger.reached_by.load();
}

void TrialWorld::release(std::size_t fault_number, Release how) {
  static constexpr Order kOrders[] = {Order::go_on, Order::lose_reply, Order::close_connection};
  answer(page_.triggers.at(fault_number), kOrders[static_cast<std::size_t>(how)]);
}

}  // namespace holdfast
