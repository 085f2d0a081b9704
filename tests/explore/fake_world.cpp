#include "tests/explore/fake_world.hpp"

#include "artifact/error.hpp"
#include "explore/fingerprint.hpp"

namespace holdfast {

void FakeWorld::reset() {
  ++runs_;
  next_.assign(programs_.size(), 0);
  seen_.assign(programs_.size(), 0);
  history_.assign(programs_.size(), 0);
  cells_.assign(3, 0);
  time_ = 0;
  current_ = 0;
  just_passed_ = false;
  violations_.clear();
}

std::vector<Option> FakeWorld::options() {
  std::vector<Option> out;
  const bool goes_on = can(current_);
  const auto step = [](std::size_t actor) { return Word{WordKind::step, static_cast<std::uint8_t>(2 * actor), 0}; };
  if (goes_on) out.push_back({step(current_), {}});
  for (std::size_t i = 1; i < programs_.size(); ++i) {
    const std::size_t other = (current_ + i) % programs_.size();
    if (can(other)) out.push_back({step(other), goes_on ? Cost{1, 0, 0} : Cost{}});
  }
  if (out.empty()) return out;
  if (!just_passed_) out.push_back({{WordKind::time, 0, 1}, {0, 1, 0}});
  if (goes_on) out.push_back({{WordKind::crash, static_cast<std::uint8_t>(2 * current_), 0}, {0, 0, 1}});
  return out;
}

void FakeWorld::take(const Word& word) {
  ++number_;
  just_passed_ = word.kind == WordKind::time;
  if (just_passed_) {
    time_ += word.time_us;
    return;
  }
  const std::size_t actor = word.actor / 2U;
  if (actor >= programs_.size() || !can(actor)) throw BadInput("'" + to_text(word) + "' is not possible");
  current_ = actor;
  if (word.kind == WordKind::crash) {
    next_[actor] = programs_[actor].size();
    return;
  }
  const Instruction& now = programs_[actor][next_[actor]++];
  int& cell = cells_[static_cast<std::size_t>(now.cell)];
  switch (now.kind) {
    case Instruction::Kind::read:
      seen_[actor] = cell;
      break;
    case Instruction::Kind::write:
      cell = now.value;
      break;
    case Instruction::Kind::add:
      cell = seen_[actor] + now.value;
      break;
    case Instruction::Kind::check_same:
      if (cell != seen_[actor]) violations_.push_back({"same" + std::to_string(now.value), "changed", true});
      break;
    case Instruction::Kind::check_late:
      if (time_ > 0 && cell == now.value) violations_.push_back({"late" + std::to_string(now.value), "late", true});
      break;
  }
}

std::uint64_t FakeWorld::state() {
  if (!tells_) return ++number_;
  Fingerprint print;
  for (std::size_t a = 0; a < programs_.size(); ++a) print.add(next_[a]).add(seen_[a]);
  for (const int cell : cells_) print.add(cell);
  return print.add(time_).add(current_).add(just_passed_ ? 1 : 0).value();
}

}  // namespace holdfast
