#include "tests/explore/simulated_world.hpp"

#include "artifact/error.hpp"
#include "explore/fingerprint.hpp"

namespace holdfast {

void SimulatedWorld::reset() {
  ++runs_;
  now_ = Moment{};
  now_.next.assign(programs_.size(), 0);
  now_.seen.assign(programs_.size(), 0);
  now_.cells.assign(3, 0);
}

std::vector<Option> SimulatedWorld::options() {
  std::vector<Option> out;
  const bool goes_on = can(now_.current);
  const auto step = [](std::size_t actor) { return Word{WordKind::step, static_cast<std::uint8_t>(2 * actor), 0}; };
  if (goes_on) out.push_back({step(now_.current), {}});
  for (std::size_t i = 1; i < programs_.size(); ++i) {
    const std::size_t other = (now_.current + i) % programs_.size();
    if (can(other)) out.push_back({step(other), goes_on ? Cost{1, 0, 0} : Cost{}});
  }
  if (out.empty()) return out;
  if (!now_.just_passed) out.push_back({{WordKind::time, 0, 1}, {0, 1, 0}});
  if (goes_on) out.push_back({{WordKind::crash, static_cast<std::uint8_t>(2 * now_.current), 0}, {0, 0, 1}});
  return out;
}

void SimulatedWorld::take(const Word& word) {
  ++number_;
  now_.just_passed = word.kind == WordKind::time;
  if (now_.just_passed) {
    now_.time += word.time_us;
    return;
  }
  const std::size_t actor = word.actor / 2U;
  if (actor >= programs_.size() || !can(actor)) throw BadInput("'" + to_text(word) + "' is not possible");
  now_.current = actor;
  if (word.kind == WordKind::crash) {
    now_.next[actor] = programs_[actor].size();
  } else {
    now_.last = 100 * (actor + 1) + now_.next[actor];
    run(programs_[actor][now_.next[actor]++], now_.seen[actor]);
  }
}

void SimulatedWorld::run(const Instruction& instruction, int& seen) {
  int& cell = now_.cells[static_cast<std::size_t>(instruction.cell)];
  const int value = instruction.value;
  switch (instruction.kind) {
    case Instruction::Kind::read:
      seen = cell;
      break;
    case Instruction::Kind::write:
      cell = value;
      break;
    case Instruction::Kind::add:
      cell = seen + value;
      break;
    case Instruction::Kind::check_same:
      if (cell != seen) now_.violations.push_back({"same" + std::to_string(value), "changed", true});
      break;
    case Instruction::Kind::check_late:
      if (now_.time > 0 && cell == value) now_.violations.push_back({"late" + std::to_string(value), "late", true});
      break;
  }
}

std::uint64_t SimulatedWorld::state() {
  if (!tells_) return ++number_;
  Fingerprint print;
  for (std::size_t a = 0; a < programs_.size(); ++a) print.add(now_.next[a]).add(now_.seen[a]);
  for (const int cell : now_.cells) print.add(cell);
  return print.add(now_.time).add(now_.current).add(now_.just_passed ? 1 : 0).value();
}

}  // namespace holdfast
