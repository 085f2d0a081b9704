// The wall clock of one server of a lab, as faults may set it wrong: the library that the server is started with, and
// the page of memory through which it learns how far it is off (src/preload). Both are anonymous files, passed by
// descriptor: no name with a blank or a colon in it, which LD_PRELOAD would take apart, and nothing to leave behind.
//
//   ServerClock clock;
//   clock.equip(spawn);           // of a server that is started then
//   clock.step(3'000'000'000);    // it is three seconds ahead, at once
//
// A server is started with the library only where a plan moves its clock: in every other trial it runs as users run it.
// What it orders proves nothing: only the server's own answer does. See preload/server_clock.cpp for what it cannot do.
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
  void step(std::int64_t offset_ns);           // ahead of the host's clock by so much from now on; a drift goes on
  void freeze(std::int64_t wall_ns);           // it stands at this time since 1970, until the next call
  void drift(std::int64_t parts_per_million);  // from now on; what it has come to stays

 private:
  int library_ = -1;
  int file_ = -1;
  ClockPage* page_ = nullptr;
};

}  // namespace holdfast
