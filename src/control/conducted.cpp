#include "control/control_page.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 20;

}  // namespace

void await_turn(Conducted& conducted) {
  const std::uint32_t begun = conducted.begun.load();
  conducted.stands.store(1);
  while (conducted.on.load() != 0) {
    const std::uint32_t turns = conducted.turns.load();
    if (turns > begun) break;
    futex_wait(conducted.turns, turns, kLook_ms);
  }
  conducted.stands.store(0);
}

void begin_statement(Conducted& conducted) {
  await_turn(conducted);
  conducted.begun.fetch_add(1);
}

Order take_order(Conducted& conducted) {
  return conducted.order.exchange(Order::go_on);
}

void end_statement(Conducted& conducted) {
  conducted.order.store(Order::go_on);
  conducted.answered.store(conducted.begun.load());
}

void conduct(Conducted& conducted, bool on) {
  conducted.turns.store(conducted.begun.load());
  conducted.on.store(on ? 1 : 0);
  futex_wake(conducted.turns);
}

void give_turn(Conducted& conducted, Order order) {
  conducted.order.store(order);
  conducted.turns.store(conducted.begun.load() + 1);
  futex_wake(conducted.turns);
}

}  // namespace holdfast
