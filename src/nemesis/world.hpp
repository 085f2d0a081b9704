// A trial as faults see it: its time, the candidates for victims, the injection points, and the declared capabilities.
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

using Victims = std::vector<std::uint32_t>;  // indices from 0, of clients or servers, depending on the fault's needs

// Candidates for victims. Available to every fault.
class Candidates {
 public:
  virtual ~Candidates() = default;
  virtual std::uint32_t clients() const = 0;
  virtual std::uint32_t servers() const = 0;  // of the lock service, from 0; without the resource's
  // The leader of servers that elect one; empty: none at present.
  virtual std::optional<std::uint32_t> leader() const { return std::nullopt; }
  virtual bool gone(std::uint32_t client) const = 0;  // its process has ended
  virtual Victims holders() const = 0;                // current holders of a key
  virtual Victims waiters() const = 0;                // ... and clients waiting for one
};

// The trial's time. Available to every fault.
class TrialTime {
 public:
  virtual ~TrialTime() = default;
  virtual std::int64_t now_ns() const = 0;    // since the start of the trial
  virtual std::int64_t load_ns() const = 0;   // start of the load; before that -1
  virtual bool closing() const = 0;           // all faults must be healed now
  virtual bool wait_ms(std::int64_t ms) = 0;  // returns false if the trial closes first
  // Poll interval for something polled every `ms` if polling is cheap.
  virtual std::int64_t look_every_ms(std::int64_t ms) const { return ms; }
};

// Injection points at which a fault begins or ends. Only the nemesis uses them, because a client stopped at a point
// must be released whatever happens to the fault.

// Number of the injection point that ends a fault.
constexpr std::size_t end_point(std::size_t fault_number) {
  return static_cast<std::size_t>(kMostFaults) + fault_number;
}

// Why a point was not reached, if more is known.
struct Absence {
  std::string why;          // empty: nothing more is known
  bool unreadable = false;  // arrivals cannot be observed: such a point is not supported here
};

class InjectionPoints {
 public:
  virtual ~InjectionPoints() = default;
  // From `arm` on, a client stops at the nth match of a point until it is released. `whom`: "holder" or "waiter"
  // restricts matches to clients with that state at that instant; empty: any. `wait_arrival` blocks until a client
  // arrives; returns nothing if the trial closes first, or an arrival has become impossible. `point`: the fault's
  // number, or end_point of it.
  virtual void arm(const InjectionPoint& at, const std::string& whom, std::size_t point) = 0;
  virtual std::optional<std::uint32_t> wait_arrival(std::size_t point) = 0;
  virtual Absence absence(std::size_t point) = 0;  // call after wait_arrival returned nothing
  // returns true if a client has arrived, or arrives in time
  virtual bool arrived(std::size_t point, std::int64_t within_ms) = 0;
  virtual void release(std::size_t point, PointAction how) = 0;
};

// A trial as faults see it: its time, the candidates for victims, and the declared capabilities.
//
//   world.use<ClientProcesses>().signal(client, SIGSTOP);    // a fault with that need
//   world.use<ServerClocks>()                                // throws HarnessError if it is not in the fault's .needs
//
// Only the nemesis has the complete world, with injection points; the runner makes it (src/runner/trial_world).
class World {
 public:
  World(TrialTime& time, Candidates& candidates) : time_(&time), candidates_(&candidates) {}

  TrialTime& time() const { return *time_; }
  Candidates& candidates() const { return *candidates_; }

  template <class Part>
  Part& use() const {
    return static_cast<Part&>(part(Part::kCapability));
  }

  // Reason why this machine does not support it. Empty: it does.
  std::string unavailable(Capability capability) const { return part(capability).unavailable(); }

  // The world for the fault `of`: with those available capabilities that are in `needs`.
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
  WholeWorld(TrialTime& time, Candidates& candidates, InjectionPoints& points)
      : World(time, candidates), points_(&points) {}
  InjectionPoints& injection_points() const { return *points_; }

 private:
  InjectionPoints* points_;
};

}  // namespace holdfast
