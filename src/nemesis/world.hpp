// A trial as faults see and touch it: its time, whom there is to strike, the points in its clients' work, and the
// capabilities that were declared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/capacity.hpp"
#include "artifact/point_action.hpp"
#include "artifact/scenario.hpp"
#include "nemesis/capability.hpp"

namespace holdfast {

using Victims = std::vector<std::uint32_t>;  // clients, or servers, as the fault's needs say

// Whom there is to strike. Every fault has it unasked.
class Candidates {
 public:
  virtual ~Candidates() = default;
  virtual std::uint32_t clients() const = 0;
  virtual std::uint32_t servers() const = 0;  // of the lock service, from 0. That of the resource is none of them.
  // Of servers that elect one, whoever leads just now; nothing: nobody for a while.
  virtual std::optional<std::uint32_t> leader() const { return std::nullopt; }
  virtual bool gone(std::uint32_t client) const = 0;  // its process is
  virtual Victims holders() const = 0;                // who holds a key just now
  virtual Victims waiters() const = 0;                // ... or waits for one
};

// The trial's time. Every fault has it unasked.
class TrialTime {
 public:
  virtual ~TrialTime() = default;
  virtual std::int64_t now_ns() const = 0;    // of the trial
  virtual std::int64_t load_ns() const = 0;   // when the load began; before that -1
  virtual bool closing() const = 0;           // everything is to be healed now
  virtual bool wait_ms(std::int64_t ms) = 0;  // false: closing before the time was over
  // How often to look again at what is looked at every `ms` where a look costs nearly nothing.
  virtual std::int64_t look_every_ms(std::int64_t ms) const { return ms; }
};

// Points in the clients' work at which a fault begins or ends. The nemesis alone has it, since a client that stops at a
// point must be let go on whatever becomes of the fault.

// Where a client stands when it has come to the point that ends a fault.
constexpr std::size_t end_point(std::size_t fault_number) {
  return static_cast<std::size_t>(kMostFaults) + fault_number;
}

// Why nobody came to a point, where more is known than that.
struct Absence {
  std::string why;          // empty: nothing more is known
  bool unreadable = false;  // nobody could have been seen to come: what is here cannot be struck at such a point
};

class InjectionPoints {
 public:
  virtual ~InjectionPoints() = default;
  // From `arm` on, a client stops at the n-th passing of a point until it is released. `whom`: "holder" or "waiter", if
  // only the passings of those who are that at the instant count; else empty. `wait_arrival` blocks until one does;
  // nothing when the trial closes first, or when it can happen no more. `trigger`: the fault's number, or end_trigger
  // of it.
  virtual void arm(const InjectionPoint& at, const std::string& whom, std::size_t point) = 0;
  virtual std::optional<std::uint32_t> wait_arrival(std::size_t point) = 0;
  virtual Absence absence(std::size_t point) = 0;                       // when wait_arrival had nobody
  virtual bool arrived(std::size_t point, std::int64_t within_ms) = 0;  // whether one stands there, or comes in time
  virtual void release(std::size_t point, PointAction how) = 0;
};

// A trial as faults see and touch it: its time, whom there is to strike, and the capabilities that were declared.
//
//   world.use<ClientProcesses>().signal(client, SIGSTOP);    // a fault with that need
//   world.use<ServerClocks>()                                // HarnessError: the fault does not name it in .needs
//
// The whole of it, with the moments, is the nemesis's; the runner makes it (src/runner/trial_world).
class World {
 public:
  World(TrialTime& time, Candidates& candidates) : time_(&time), candidates_(&candidates) {}

  TrialTime& time() const { return *time_; }
  Candidates& candidates() const { return *candidates_; }

  template <class Part>
  Part& use() const {
    return static_cast<Part&>(part(Part::kCapability));
  }

  // Why this machine cannot do it. Empty: it can.
  std::string unavailable(Capability capability) const { return part(capability).unavailable(); }

  // What the fault `of` gets: the capabilities in `needs`, of those that there are.
  World only(const std::vector<Capability>& needs, const std::string& of) const;

 protected:
  template <class Part>
  void offer(Part& offered) {
    parts_.at(static_cast<std::size_t>(Part::kCapability)) = &offered;
  }
  void take_away(Capability capability) { parts_.at(static_cast<std::size_t>(capability)) = nullptr; }

 private:
  AnyCapability& part(Capability capability) const;

  TrialTime* time_;
  Candidates* candidates_;
  std::array<AnyCapability*, kCapabilities> parts_{};
  std::string of_;  // the fault's name
};

class WholeWorld : public World {
 public:
  WholeWorld(TrialTime& time, Candidates& candidates, InjectionPoints& moments)
      : World(time, candidates), points_(&moments) {}
  InjectionPoints& moments() const { return *points_; }

 private:
  InjectionPoints* points_;
};

}  // namespace holdfast
