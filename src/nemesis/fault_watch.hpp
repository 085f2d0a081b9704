// Looks again and again whether a fault is still in force, from when that was proved until it is healed. One that ends
// by itself, or that somebody else ends, must not be told as one that lasted.
//
//   FaultWatch watch(world, fault, victims);
//   while (...) { watch.look(time_left_ms); world.wait_ms(watch.due_ms()); }
//   watch.last_look();
//   if (!watch.broken().empty()) ...    // "it did not last: ..."
//
// A process that is stopped, and that somebody else lets go on for a moment, looks stopped again at the next look. So
// the faults that stop one compare its processor time too (faults/pause.cpp). A fault that did not last is an error.
//
// Looks come every few milliseconds, and more seldom where they take long themselves.
#pragma once

#include <cstdint>
#include <string>

#include "nemesis/fault.hpp"

namespace holdfast {

class FaultWatch {
 public:
  FaultWatch(World& world, Fault& fault, const Victims& victims);

  // Looks if it is time to. `left_ms`: until the fault is to be healed; the last thing before that is no slow probe.
  void look(std::int64_t left_ms);
  std::int64_t due_ms() const;                           // until the next look, at least 1
  void last_look();                                      // waits for a clear answer, within bounds
  const std::string& broken() const { return broken_; }  // empty: it was in force at every look

 private:
  void take(bool slowly);

  World& world_;
  Fault& fault_;
  const Victims& victims_;
  std::int64_t began_ns_;
  std::int64_t seen_ns_;  // in force, the last time
  std::int64_t due_ns_;   // the next look
  std::int64_t slow_ns_;  // the next slow one
  bool unclear_ = false;  // what the last one showed
  std::string broken_;
};

}  // namespace holdfast
