// A program that runs only while it is given the fiber: on a stack of its own, with ordinary exceptions and an ordinary
// debugger, of which exactly one runs at a time. A switch costs less than a microsecond, and no scheduler has a say in
// it: with a thread for each program the hand-overs took five times as long as all else that a search does.
//
//   Fiber fiber;
//   fiber.begin([&] { ...; fiber.give_back(); ... });
//   fiber.hand_over();   // runs the program until it gives the fiber back, or ends
//
// A program that is abandoned gets `Abandoned` thrown out of give_back(), so that its stack unwinds. It is not derived
// from std::exception: code under test that catches those must not catch this.
#pragma once

#include <exception>
#include <functional>

#include "explore/stack_switch.hpp"

namespace holdfast {

struct Abandoned {};

class Fiber {
 public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The controller's side.
  void begin(std::function<void()> program);  // it waits for its first fiber; one that is under way is abandoned
  void hand_over();                           // throws on what the program threw
  void abandon();                             // unwinds the program, if it is under way
  bool ended() const { return !under_way_; }

  // The program's side.
  void give_back();

 private:
  void loop();

  std::function<void()> program_;
  std::exception_ptr thrown_;
  bool under_way_ = false;
  bool abandoned_ = false;
  bool closing_ = false;
  StackSwitch stack_;
};

}  // namespace holdfast
