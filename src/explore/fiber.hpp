// Programs on their own stacks that run only when resumed.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

namespace holdfast {

// A separate stack for a program, with switches in both directions; the sanitizers are notified, since they track
// stacks. Uses the C library's contexts (makecontext, swapcontext).
//
//   StackSwitch stack([](void* program) { ... }, &program);
//   stack.enter();      // on this stack; returns when the program calls leave()
//
// It catches no exceptions, and its function must not return but call leave_for_good(). Different threads may enter the
// stack one after another. It ends with a guard page.
class StackSwitch {
 public:
  using Function = void (*)(void*);
  StackSwitch(Function function, void* argument);  // throws HarnessError without memory
  ~StackSwitch();
  StackSwitch(const StackSwitch&) = delete;
  StackSwitch& operator=(const StackSwitch&) = delete;

  void enter();           // called from outside
  void leave();           // called from inside; returns at the next enter()
  void leave_for_good();  // called from inside as the last action

 private:
  // Per-thread state of exceptions being handled in C++; each stack needs its own. Source: the Itanium C++ ABI,
  // exception handling, 2.2.2.
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

// A program on its own stack that runs when resumed, until it yields; ordinary exceptions and debuggers work in it. A
// switch takes less than a microsecond and involves no scheduler: with a thread per program, switches took five times
// as long as everything else in a search.
//
//   Fiber fiber;
//   fiber.begin([&] { ...; fiber.yield(); ... });
//   fiber.resume();   // runs the program until it yields, or ends
//
// Abandoning a program throws `Abandoned` out of yield(), so that its stack unwinds. It is not derived from
// std::exception, so code under test that catches those does not catch it.
class Fiber {
 public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The controller's side.
  void begin(std::function<void()> program);  // runs nothing yet; abandons a running program
  void resume();                              // rethrows the program's exception
  void abandon();                             // unwinds the program if it is running
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
