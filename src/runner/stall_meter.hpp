// Measures whether the machine let the trial run: stops from outside, and waits for a processor.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "adapter/program_wait.hpp"
#include "adapter/scheduler_wait.hpp"
#include "control/control_page.hpp"
#include "history/event.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

struct OutsideStop {
  std::int64_t number = 0;             // of the process: a client's own; negative for a server
  std::vector<std::uint32_t> clients;  // the client; empty: a server
  std::string name;                    // "client 3", "the resource's server"
  StoppedSpan stretch;
};

// Detects processes of the trial that do not run although no fault has stopped them: clients by their heartbeat,
// servers by their state, sampled every few milliseconds.
//
//   for (const OutsideStop& stop : stops.look(...)) stalls.stood_still(stop);
//
// Such a stop is evidence, not a fault. Stops by a fault of the plan are subtracted (client_roster.hpp); the rest is
// reported like waits for a processor, and explains no more than its duration.
//
// Limits: stops of a client shorter than Heartbeat::kGapBeats beats, and a server in a separately frozen control group
// (its processes do not appear stopped), are not detected.
class OutsideStops {
 public:
  explicit OutsideStops(const PlannedStops& planned, std::int64_t beat_ns = Heartbeat::kBeat_ns)
      : planned_(planned), beat_ns_(beat_ns) {}

  // New since the last look.
  std::vector<OutsideStop> client(std::uint32_t client, const Heartbeat& shown);

  // `state` as in /proc/PID/stat. Reported when the stop ends, and every second while it lasts.
  std::vector<OutsideStop> server(std::int64_t number, const std::string& name, char state, std::int64_t now_ns);

 private:
  struct Watched {
    std::int64_t looked_ns = 0;
    StoppedSpan open;  // to_ns 0: none
  };
  std::vector<OutsideStop> unplanned(OutsideStop stop) const;

  const PlannedStops& planned_;
  const std::int64_t beat_ns_;
  std::map<std::uint32_t, std::uint32_t> read_;  // gaps, by client
  std::map<std::int64_t, Watched> servers_;
};

struct Watched {
  std::int64_t number = 0;  // the same number in each look
  // the client, or the client whose lock it is; empty: the server, which affects all
  std::vector<std::uint32_t> clients;
  pid_t pid = 0;
  std::string name;      // "client 3"
  bool adapter = false;  // which may start programs
};

// Measures whether the machine let the trial run: how long each client, and the server, waited for a processor, whether
// one of them was stopped from outside, and whether the runner's own looks were late. A lease that ended in such a time
// proves nothing about the lock.
//
// Its events are the evidence for `undecided`; together they leave less than WaitAccount::kBound_ns of each process's
// waits unreported. A client stopped by a fault does not wait for a processor: that is not a stall.
//
// An adapter is a process of its client, which cannot continue while the adapter, or a program that it started, waits;
// for these programs only an upper bound is known (program_wait.hpp), which is reported. Waits are the kernel's counts
// (scheduler_wait.hpp), read every 100 ms. If a holder outlived its lease by no more than the measured waits, its own
// behaviour is unknown. If by more, it overran by itself: `violated:overrun`. In skipped time nothing is measured: a
// wait for a processor takes none of it. If the kernel does not count waits, every overrun without a fault is
// `undecided`.
class StallMeter {
 public:
  explicit StallMeter(std::int64_t zero_ns, std::int64_t beat_ns = Heartbeat::kBeat_ns);
  void look(const std::vector<Watched>& watched);  // call it every few milliseconds
  // Reported after the next look, unless waits for a processor, or a stopped runner, explain it.
  void stood_still(const OutsideStop& stop) { still_.push_back(stop); }
  void finish();  // reports the rest
  const std::vector<Event>& events() const { return events_; }
  std::int64_t stalls() const { return stalls_; }  // long or dense waits among them

 private:
  struct Account {
    Account(pid_t pid, std::int64_t now_ns) : wait(pid, now_ns) {}
    SchedulerWait wait;
    std::optional<ProgramWait> programs;  // of an adapter
    WaitAccount account;
    std::vector<WaitAccount::Told> waits;  // for each look with waits
  };
  std::int64_t explained_ns(const OutsideStop& stop) const;
  void tell_stop(const OutsideStop& stop);
  void tell(const char* what, const std::vector<std::uint32_t>& clients, const WaitAccount::Told& told,
            const std::string& detail);

  std::int64_t zero_ns_;
  const std::int64_t beat_ns_;
  bool counted_;  // waits for a processor are
  std::int64_t last_ns_;
  std::int64_t sampled_ns_;
  std::map<std::int64_t, Account> accounts_;
  std::vector<StoppedSpan> machine_;  // the runner's own gaps
  std::vector<OutsideStop> still_;
  std::vector<Event> events_;
  std::int64_t stalls_ = 0;
};

}  // namespace holdfast
