// The story of a violation, so that finds with the same cause can be recognized.
//
//   between release.get and release.del of one client, acquire of another; time passed
//   acquire of one client, after acquire of another, who has it; reply lost of another's release
//
// A cause consists of the statement that violated the invariant (the decisive one), the last statement of another
// client that changed something (or was granted something), its position (between two statements of one hold of the
// first client, or before the hold), whether time passed there, and the faults, each with the statement that it struck.
// Clients are `one`, whose statement is the decisive one, and `another`: A and B are interchangeable. The amount of
// time, and refusals on the way, make no difference. For `stuck` the decisive statement is the last that changed
// something.
//
// The story is not part of a state: histories with equal continuations are equal, however they came about.
//
// A cause is computed for a schedule from which nothing can be removed (explorer.hpp), so every fault in it is needed.
//
// It is a small value that is stored and restored with the world state, and refers to statements by numbers. After a
// severe violation nothing more may be added.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/schedule_word.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// One number per name, the same for all threads of this process; from 1.
std::uint32_t number_of_statement(std::string_view name);

struct StoryStep {
  std::uint32_t statement = 0;  // number of its name; 0: none
  Op op = Op::write;
  bool background = false;
  explicit operator bool() const { return statement != 0; }
};

// The call after which no client can acquire the lock any more, and the mistake that it shows, in words.
struct StuckBy {
  std::string call;  // "renew of one client"; empty: no single call
  std::string flaw;
};

class ScheduleStory {
 public:
  void asked(std::uint32_t client) {
    sides_[client].under_way = true;
    sides_[client].nothing = sides_[client].refused = {};
  }
  void answered(std::uint32_t client, Op op, bool ok);
  void ended(std::uint32_t client) { sides_[client].holds = sides_[client].under_way = false; }
  void executed(std::uint32_t client, const StoryStep& step, bool changed);
  // The statement just executed is a query that found no row; `locks`: it would have locked it.
  void found_nothing(std::uint32_t client, bool locks) {
    sides_[client].nothing = sides_[client].last;
    sides_[client].nothing_locks = locks;
  }
  // The server answered the statement just executed with an error; `error`: its number and text.
  void refused(std::uint32_t client, const std::string& error);
  void struck(std::uint32_t client, WordKind by, const StoryStep& step);
  void struck_after(std::uint32_t client, WordKind by) { struck(client, by, sides_[client].last); }
  void time_passed();

  // Equal for equal causes. `stuck`: no client can get the key any more, so the last statement was not decisive.
  std::uint64_t print(bool stuck) const;
  std::string text(bool stuck) const;
  // The mistake that two holders, a lock lost inside its lease, or a lock that no client can get show, in sentences;
  // empty: the story names none by itself.
  std::string flaw(const std::string& invariant) const;
  // The last call of this client, which left the lock stuck.
  StuckBy stuck_by(std::uint32_t client) const;

 private:
  static constexpr std::uint32_t kNobody = 255;
  static constexpr std::size_t kMostClients = 6;
  // The last interference by another client.
  struct Meeting {
    StoryStep before;  // its own last statement at that time, in the same hold
    StoryStep other;
    std::uint32_t who = kNobody;
    bool passed = false;  // time passed since `before`, or without one, since `other`
  };
  struct Side {
    StoryStep last;
    StoryStep effect;   // its last statement that changed something
    StoryStep nothing;  // its operation's last query that found no row
    bool nothing_locks = false;
    StoryStep refused;        // its operation's last statement that the server answered with an error
    std::uint32_t error = 0;  // number of that error's text, as of a name
    Meeting met;
    Meeting met_at_effect;
    // The last background statement that changed something between the grant before and this client's last grant.
    StoryStep background_before;
    std::uint32_t background_before_of = kNobody;
    bool granted = false;  // since that effect
    bool left = false;     // it was granted, and no release of it has changed anything since
    bool under_way = false;
    bool holds = false;
    bool passed = false;     // time passed since its last statement
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
  std::string swallowed_error() const;
  std::string flaw_of_background(const Told& it) const;
  std::string flaw_of_stuck() const;
  std::string flaw_of_two_holders(const Told& it) const;
  Told told(bool stuck) const;

  std::array<Side, kMostClients> sides_{};
  std::vector<Strike> strikes_;
  StoryStep background_change_;  // the last background statement with an effect since the last grant
  std::uint32_t background_client_ = kNobody;
  std::uint32_t last_ = kNobody;         // client of the last statement
  std::uint32_t last_effect_ = kNobody;  // client of the last statement that changed something
};

}  // namespace holdfast
