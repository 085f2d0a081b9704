// Programs on stacks of their own, each of which runs only when it is told to.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

namespace holdfast {

// A stack of its own for a program, and the switch to it and back; the sanitizers are told of each, for they keep books
// on stacks. Made of the C library's contexts (makecontext, swapcontext).
//
//   StackSwitch stack([](void* program) { ... }, &program);
//   stack.enter();      // on this stack; returns when the program calls leave()
//
// What it does not do: it catches nothing, and its function must not return; its last act is leave_for_good().
// The stack may be entered by one thread after another. It ends in a page that may not be touched.
class StackSwitch {
 public:
  using Function = void (*)(void*);
  StackSwitch(Function function, void* argument);  // HarnessError without memory
  ~StackSwitch();
  StackSwitch(const StackSwitch&) = delete;
  StackSwitch& operator=(const StackSwitch&) = delete;

  void enter();           // from outside
  void leave();           // from inside; returns at the next enter()
  void leave_for_good();  // from inside, the last time

 private:
  // What C++ keeps for each thread of the exceptions that are being handled; a stack has its own. Source: the Itanium
  // C++ ABI, exception handling, 2.2.2.
  struct Handling {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };
  static Handling exchange_handling(const Handling& other);
  static void first_entry();
  void run();

  Function function_;
  void* argument_;
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  ucontext_t inside_{};
  ucontext_t outside_{};
  Handling handling_inside_;
  // For the sanitizers.
  void* fake_inside_ = nullptr;
  const void* bottom_outside_ = nullptr;
  std::size_t size_outside_ = 0;
  void* fiber_inside_ = nullptr;
  void* fiber_outside_ = nullptr;
};

struct Abandoned {};

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
