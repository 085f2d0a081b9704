#include "control/control_page.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 20;

}  // namespace

void await_turn(Gate& gated) {
  const std::uint32_t begun = gated.begun.load();
  gated.stands.store(1);
  while (gated.on.load() != 0) {
    const std::uint32_t turns = gated.turns.load();
    if (turns > begun) break;
    futex_wait(gated.turns, turns, kLook_ms);
  }
  gated.stands.store(0);
}

void begin_statement(Gate& gated) {
  await_turn(gated);
  gated.begun.fetch_add(1);
}

Order take_order(Gate& gated) {
  return gated.order.exchange(Order::go_on);
}

void end_statement(Gate& gated) {
  gated.order.store(Order::go_on);
  gated.answered.store(gated.begun.load());
}

void gate(Gate& gated, bool on) {
  gated.turns.store(gated.begun.load());
  gated.on.store(on ? 1 : 0);
  futex_wake(gated.turns);
}

void give_turn(Gate& gated, Order order) {
  gated.order.store(order);
  gated.turns.store(gated.begun.load() + 1);
  futex_wake(gated.turns);
}

}  // namespace holdfast
