// A program that runs only while it is given the baton: an operating-system thread of its own, with an ordinary stack,
// ordinary exceptions and an ordinary debugger, of which exactly one runs at a time.
//
//   Baton baton;
//   baton.begin([&] { ...; baton.give_back(); ... });
//   baton.hand_over();   // runs the program until it gives the baton back, or ends
//
// A program that is abandoned gets `Abandoned` thrown out of give_back(), so that its stack unwinds. It is not derived
// from std::exception: code under test that catches those must not catch this.
#pragma once

#include <semaphore.h>

#include <exception>
#include <functional>
#include <thread>

namespace holdfast {

struct Abandoned {};

class Baton {
 public:
  Baton();
  ~Baton();
  Baton(const Baton&) = delete;
  Baton& operator=(const Baton&) = delete;

  // The controller's side.
  void begin(std::function<void()> program);  // it waits for its first baton; one that is under way is abandoned
  void hand_over();                           // throws on what the program threw
  void abandon();                             // unwinds the program, if it is under way
  bool ended() const { return !under_way_; }

  // The program's side.
  void give_back();

 private:
  void loop();

  sem_t to_program_{};
  sem_t to_controller_{};
  std::function<void()> program_;
  std::exception_ptr thrown_;
  bool under_way_ = false;
  bool abandoned_ = false;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace holdfast
