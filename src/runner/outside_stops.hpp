// Watches for processes of the trial that do not run though no fault has stopped them: clients by their heartbeat,
// servers by their state, looked at every few milliseconds.
//
//   for (const OutsideStop& stop : stops.look(...)) stalls.stood_still(stop);
//
// Such a stop is evidence, not a fault. What a fault of the plan stopped is taken out (planned_stops.hpp); the rest is
// told as waits for a processor are (stall_meter.hpp), and explains no more than it lasted.
//
// What it cannot see: stops of a client shorter than Heartbeat::kGap_ns, and a server in a control group that is frozen
// by itself (its processes do not look stopped).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "control/control_page.hpp"
#include "runner/planned_stops.hpp"

namespace holdfast {

struct OutsideStop {
  std::int64_t number = 0;             // of the process: a client's own; of a server below 0
  std::vector<std::uint32_t> clients;  // the client that it is; empty: a server
  std::string name;                    // "client 3", "the resource's server"
  StoppedSpan stretch;
};

class OutsideStops {
 public:
  explicit OutsideStops(const PlannedStops& planned) : planned_(planned) {}

  // New since the last look.
  std::vector<OutsideStop> client(std::uint32_t client, const Heartbeat& shown);

  // `state` as in /proc/PID/stat. Told when the stop is over, and every second while it lasts.
  std::vector<OutsideStop> server(std::int64_t number, const std::string& name, char state, std::int64_t now_ns);

 private:
  struct Watched {
    std::int64_t looked_ns = 0;
    StoppedSpan open;  // to_ns 0: none
  };
  std::vector<OutsideStop> unplanned(OutsideStop stop) const;

  const PlannedStops& planned_;
  std::map<std::uint32_t, std::uint32_t> read_;  // gaps, by client
  std::map<std::int64_t, Watched> servers_;
};

}  // namespace holdfast
