// How a violation came about, so that two finds can be told to be the same story: its cause.
//
//   between release.get and release.del of one client, acquire of another; time passed
//   acquire of one client, after acquire of another, who has it; reply lost of another's release
//
// A cause is: the statement by which the invariant was violated (the decisive one), the last statement of another
// client that changed something (or that was granted something), where it stood (between two statements of one hold of
// the first, or before it), whether time passed there, and the faults, each with the statement that it struck. Clients
// are `one`, whose statement is the decisive one, and `another`: A and B may change places. How long time passed, and
// what was refused on the way, makes no difference. Of `stuck` the decisive statement is the last that changed
// something.
//
// The story is no part of a state: two histories that go on alike are one, whatever led there.
//
// A cause is told of a schedule from which nothing can be left out (explorer.hpp): there every fault is needed.
//
// It is a small value, for it is kept and put back with the world state, and knows statements by numbers. After a
// severe violation it must be told nothing more.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/schedule_word.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// One number a name, the same for all threads of this process; from 1.
std::uint32_t number_of_statement(std::string_view name);

struct StoryStep {
  std::uint32_t statement = 0;  // the number of its name; 0: none
  Op op = Op::write;
  bool background = false;
  explicit operator bool() const { return statement != 0; }
};

class ScheduleStory {
 public:
  void asked(std::uint32_t client) { sides_[client].under_way = true; }
  void answered(std::uint32_t client, Op op, bool ok);
  void ended(std::uint32_t client) { sides_[client].holds = sides_[client].under_way = false; }
  void executed(std::uint32_t client, const StoryStep& step, bool changed);
  void struck(std::uint32_t client, WordKind by, const StoryStep& step);
  void struck_after(std::uint32_t client, WordKind by) { struck(client, by, sides_[client].last); }
  void time_passed();

  // Equal for equal causes. `stuck`: nobody can take the key any more, so the last statement decided nothing.
  std::uint64_t print(bool stuck) const;
  std::string text(bool stuck) const;

 private:
  static constexpr std::uint32_t kNobody = 255;
  static constexpr std::size_t kMostClients = 6;
  // What another did to it last.
  struct Meeting {
    StoryStep before;  // its own last statement when that came, in the same hold
    StoryStep other;
    std::uint32_t who = kNobody;
    bool passed = false;  // time, since `before`, or where there is none, since `other`
  };
  struct Side {
    StoryStep last;
    StoryStep effect;  // its last that changed something
    Meeting met;
    Meeting met_at_effect;
    bool under_way = false;
    bool holds = false;
    bool passed = false;     // time, since its last statement
    bool effective = false;  // its last statement changed something
    bool open() const { return under_way || holds; }
  };
  struct Strike {
    std::uint32_t client = 0;
    WordKind by = WordKind::lost;
    StoryStep step;
  };
  struct Told {
    std::uint32_t client = kNobody;
    StoryStep decisive;
    Meeting met;
  };
  void took_effect(std::uint32_t client);
  Told told(bool stuck) const;

  std::array<Side, kMostClients> sides_{};
  std::vector<Strike> strikes_;
  std::uint32_t last_ = kNobody;         // whose statement was the last
  std::uint32_t last_effect_ = kNobody;  // and the last that changed something
};

}  // namespace holdfast
