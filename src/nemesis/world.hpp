// A trial as faults see and touch it: its time, whom there is to strike, and the capabilities that were declared.
//
//   world.use<ClientProcesses>().signal(client, SIGSTOP);    // a fault with that need
//   world.use<ServerClocks>()                                // HarnessError: the fault does not name it in .needs
//
// The whole of it, with the moments, is the nemesis's; the runner makes it (src/runner/trial_world).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "nemesis/capabilities/any_capability.hpp"
#include "nemesis/capabilities/candidates.hpp"
#include "nemesis/capabilities/moments.hpp"
#include "nemesis/capabilities/trial_time.hpp"

namespace holdfast {

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
  WholeWorld(TrialTime& time, Candidates& candidates, Moments& moments) : World(time, candidates), moments_(&moments) {}
  Moments& moments() const { return *moments_; }

 private:
  Moments* moments_;
};

}  // namespace holdfast
