// The wall clock of one server in a lab, which faults can change: the library that the server is started with, and the
// memory page with the clock's offset (src/preload). Both are anonymous files passed by descriptor, so LD_PRELOAD gets
// no name with a blank or colon, which it would split, and nothing needs to be removed.
//
//   ServerClock clock;
//   clock.equip(spawn);           // for a server started afterwards
//   clock.step(3'000'000'000);    // three seconds ahead, immediately
//
// A server gets the library only if a plan changes its clock; in every other trial it runs unmodified. Setting the
// offset proves nothing: only the server's own answer does. preload/server_clock.cpp describes the limits.
#pragma once

#include <cstdint>

#include "lab/process.hpp"
#include "preload/clock_page.hpp"

namespace holdfast {

class ServerClock {
 public:
  ServerClock();  // throws HarnessError
  ~ServerClock();
  ServerClock(const ServerClock&) = delete;
  ServerClock& operator=(const ServerClock&) = delete;

  void equip(Spawn& server) const;
  void step(std::int64_t offset_ns);           // ahead of the host's clock from now on; a drift continues
  void freeze(std::int64_t wall_ns);           // frozen at this time since 1970 until the next call
  void drift(std::int64_t parts_per_million);  // rate error from now on; the accumulated offset stays

 private:
  int library_ = -1;
  int file_ = -1;
  ClockPage* page_ = nullptr;
};

}  // namespace holdfast
