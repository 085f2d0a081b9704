// A program on a stack of its own that runs only when it is told to, until it yields; ordinary exceptions and an
// ordinary debugger work in it. A switch costs less than a microsecond, and no scheduler has a say in it: with a thread
// for each program the switches took five times as long as all else that a search does.
//
//   Fiber fiber;
//   fiber.begin([&] { ...; fiber.yield(); ... });
//   fiber.resume();   // runs the program until it yields, or ends
//
// A program that is abandoned gets `Abandoned` thrown out of yield(), so that its stack unwinds. It is not derived
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
  void begin(std::function<void()> program);  // runs nothing yet; a program that is under way is abandoned
  void resume();                              // throws on what the program threw
  void abandon();                             // unwinds the program, if it is under way
  bool ended() const { return !under_way_; }

  // The program's side.
  void yield();

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
