// The strict rules for bare histories against a search: exclusion, answers to owners and explained `busy` answers
// together say exactly what the search says. Histories are made by simulating a lock, then changing something in half
// of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/checker/choices.hpp"
#include "tests/checker/history_builder.hpp"
#include "tests/checker/owner_search.hpp"

namespace holdfast {
namespace {

constexpr int kProcesses = 3;
constexpr int kNoAnswer = 1 << 20;

// A process of the simulation: what it is doing, and how far.
struct Player {
  int operation = -1;  // open; -1: none
  bool placed = false;
  bool holds = false;
  int clean_ups = -1;  // -1: its identity is good; else how many clean-up releases it may still send
};

class Simulation {
 public:
  explicit Simulation(Choices choose) : choose_(std::move(choose)) {}

  std::vector<SearchedOperation> run() {
    const bool mutated = choose_.one_in(2);
    const int victim = choose_.below(10);
    for (int time = 1; choose_.left() && time < 60; ++time) step(players_[choose_.below(kProcesses)], time);
    for (Player& a : players_) {
      if (a.operation >= 0) leave_open(a);
    }
    if (mutated && !operations_.empty()) mutate(operations_[victim % static_cast<int>(operations_.size())]);
    return operations_;
  }

 private:
  void step(Player& a, int time) {
    const int process = static_cast<int>(&a - players_);
    if (a.operation < 0) {
      if (operations_.size() >= 10 || a.clean_ups == 0) return;
      const bool gives_back = a.holds || a.clean_ups > 0 || choose_.one_in(12);
      operations_.push_back({process, gives_back ? Answer::released : Answer::granted, time, kNoAnswer});
      a.operation = static_cast<int>(operations_.size()) - 1;
      a.placed = false;
    } else if (!a.placed && !choose_.one_in(7)) {
      place(a, process);
    } else if (!a.placed || choose_.one_in(7)) {
      leave_open(a);
    } else {
      operations_[a.operation].answered = time;
      if (a.clean_ups > 0) --a.clean_ups;
      a.operation = -1;
    }
  }

  void place(Player& a, int process) {
    SearchedOperation& o = operations_[a.operation];
    a.placed = true;
    if (o.answer == Answer::granted) {
      if (holder_ >= 0) o.answer = Answer::busy;
      if (holder_ < 0) holder_ = process;
      a.holds = o.answer == Answer::granted;
    } else {
      if (holder_ != process) o.answer = Answer::not_held;
      if (holder_ == process) holder_ = -1;
      a.holds = false;
    }
  }

  // The answer never came: nobody knows whether it took effect.
  void leave_open(Player& a) {
    SearchedOperation& o = operations_[a.operation];
    const bool acquire = o.answer == Answer::granted || o.answer == Answer::busy;
    o.answer = acquire ? Answer::open_acquire : Answer::open_release;
    o.answered = kNoAnswer;
    a.clean_ups = acquire && a.clean_ups < 0 ? choose_.below(2) : 0;
    a.operation = -1;
    a.holds = false;
  }

  static void mutate(SearchedOperation& o) {
    switch (o.answer) {
      case Answer::granted:
        o.answer = Answer::busy;
        break;
      case Answer::busy:
        o.answer = Answer::granted;
        break;
      case Answer::released:
        o.answer = Answer::not_held;
        break;
      case Answer::not_held:
        o.answer = Answer::released;
        break;
      case Answer::open_acquire:
      case Answer::open_release:
        break;
    }
  }

  Choices choose_;
  Player players_[kProcesses];
  std::vector<SearchedOperation> operations_;
  int holder_ = -1;
};

HistoryBuilder history_of(const std::vector<SearchedOperation>& operations) {
  auto history = HistoryBuilder::bare("owner");
  for (const SearchedOperation& o : operations) {
    const auto process = static_cast<std::uint32_t>(o.process);
    switch (o.answer) {
      case Answer::granted:
        history.acquire(process, o.invoked, o.answered);
        break;
      case Answer::busy:
        history.refused(process, o.invoked, o.answered);
        break;
      case Answer::released:
        history.release(process, o.invoked, o.answered);
        break;
      case Answer::not_held:
        history.not_held(process, Op::release, o.invoked, o.answered);
        break;
      case Answer::open_acquire:
        history.uncertain(process, Op::acquire, o.invoked, o.invoked);
        break;
      case Answer::open_release:
        history.uncertain(process, Op::release, o.invoked, o.invoked);
        break;
    }
  }
  return history;
}

// With a clean-up the rule for `busy` may let a ghost explain more than it could (busy_rule.hpp).
bool exact(const std::vector<SearchedOperation>& operations) {
  return std::none_of(operations.begin(), operations.end(), [&](const SearchedOperation& ghost) {
    return ghost.answer == Answer::open_acquire &&
           std::any_of(operations.begin(), operations.end(),
                       [&](const auto& o) { return o.process == ghost.process && o.invoked > ghost.invoked; });
  });
}

std::string shown(const std::vector<SearchedOperation>& operations) {
  static const char* const kWords[] = {"granted", "busy", "released", "not_held", "acquire?", "release?"};
  std::string text;
  for (const SearchedOperation& o : operations) {
    text += std::to_string(o.process) + " " + kWords[static_cast<int>(o.answer)] + " " + std::to_string(o.invoked) +
            ".." + std::to_string(o.answered) + "\n";
  }
  return text;
}

RC_GTEST_PROP(OwnerRandom, AgreesWithTheSearch, ()) {
  const auto bytes = *rc::gen::container<std::vector<std::uint8_t>>(60, rc::gen::arbitrary<std::uint8_t>());
  const auto operations = Simulation(Choices(bytes)).run();
  RC_PRE(!operations.empty());
  const bool legal = OwnerSearch(operations).legal();
  const TrialVerdict verdict = history_of(operations).check();
  RC_LOG() << shown(operations) << (legal ? "legal" : "illegal") << "\n";
  for (const auto& p : verdict.properties)
    RC_LOG() << p.property << " " << to_text(p.judgement) << " " << p.kind << "\n";
  const bool violated = verdict.judgement == Judgement::violated;
  RC_TAG(std::string(legal ? "legal" : "illegal"),
         std::string(exact(operations) ? "without a clean-up" : "with a clean-up"));
  RC_ASSERT(!violated || !legal);  // never a false alarm
  if (exact(operations)) RC_ASSERT(violated == !legal);
}

}  // namespace
}  // namespace holdfast
