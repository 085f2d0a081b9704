// A world in memory for the search's tests: small random programs over a few cells, with an assertion that fails in
// some orders. Trying everything finds all its failures.
//
// Each actor is a list of instructions; a step runs one. `check` fails (a violation) unless a cell has the value that
// the actor read or expects; `sleep` lets time pass by itself; time is a counter that cells may be compared with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/world.hpp"

namespace holdfast {

struct Instruction {
  enum class Kind : std::uint8_t { read, write, add, check_same, check_late } kind = Kind::read;
  int cell = 0;
  int value = 0;
};

using FakeProgram = std::vector<Instruction>;

class SimulatedWorld : public SearchWorld {
 public:
  SimulatedWorld(std::vector<FakeProgram> programs, bool tells_states)
      : programs_(std::move(programs)), tells_(tells_states) {
    SimulatedWorld::reset();
  }
  void reset() override;
  std::vector<Option> options() override;
  void take(const Word& word) override;
  const std::vector<Violation>& violations() const override { return now_.violations; }
  // The client and the number of the last instruction.
  std::uint64_t story() const override { return tells_stories_ ? now_.last : 0; }
  void tell_stories(bool wanted) { tells_stories_ = wanted; }
  std::uint64_t state() override;
  std::shared_ptr<const SearchPlace> here() override { return std::make_shared<const FakePlace>(now_); }
  void go_to(const SearchPlace& place) override { now_ = dynamic_cast<const FakePlace&>(place).now; }
  int runs() const { return runs_; }

 private:
  struct Moment {
    std::vector<std::size_t> next;
    std::vector<int> cells;
    std::vector<int> seen;  // by actor: what it read last
    std::int64_t time = 0;
    std::size_t current = 0;
    bool just_passed = false;
    std::uint64_t last = 0;  // the instruction that was run last
    std::vector<Violation> violations;
  };
  struct FakePlace : SearchPlace {
    explicit FakePlace(Moment moment) : now(std::move(moment)) {}
    Moment now;
  };
  bool can(std::size_t actor) const { return now_.next[actor] < programs_[actor].size(); }
  void run(const Instruction& instruction, int& seen);

  std::vector<FakeProgram> programs_;
  bool tells_;
  bool tells_stories_ = false;
  Moment now_;
  std::uint64_t number_ = 0;
  int runs_ = 0;
};

}  // namespace holdfast
