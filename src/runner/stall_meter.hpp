// Measures whether the machine let the trial run: how long each client, and the server, waited for a processor, whether
// one of them was stopped from outside, and whether the runner's own looks came late. A lease that lapsed meanwhile
// proves nothing about the lock.
//
// Its events are the evidence for `undecided`; together they leave less than WaitAccount::kBound_ns of each process's
// waiting untold. A client that a fault stops does not wait for a processor: that is no stall.
//
// Waits are the kernel's counts (scheduler_wait.hpp), read every 100 ms. A holder that outlived its lease by no more
// than was measured: nobody can say what it would have done. By more: it held on by itself, which is
// `violated:overrun`. Where the kernel does not count waits, every overrun that no fault covers is `undecided`.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "history/event.hpp"
#include "runner/outside_stops.hpp"
#include "runner/scheduler_wait.hpp"

namespace holdfast {

struct Watched {
  std::int64_t number = 0;             // of its own; the same at each look
  std::vector<std::uint32_t> clients;  // the client that it is; empty: the server, on which all depend
  pid_t pid = 0;
};

class StallMeter {
 public:
  explicit StallMeter(std::int64_t zero_ns);
  void look(const std::vector<Watched>& watched);  // call it every few milliseconds
  // Told after the next look, unless waits for a processor, or a runner that stood still too, account for it.
  void stood_still(const OutsideStop& stop) { still_.push_back(stop); }
  void finish();  // tells what is left
  const std::vector<Event>& events() const { return events_; }
  std::int64_t stalls() const { return stalls_; }  // long or dense waits among them

 private:
  struct Account {
    explicit Account(pid_t pid) : wait(pid) {}
    SchedulerWait wait;
    WaitAccount account;
    std::vector<WaitAccount::Told> waits;  // at each look with any
  };
  std::int64_t explained_ns(const OutsideStop& stop) const;
  void tell_stop(const OutsideStop& stop);
  void tell(const char* what, const std::vector<std::uint32_t>& clients, const WaitAccount::Told& told,
            const std::string& detail);

  std::int64_t zero_ns_;
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
