// A world with readable finds: what explorer.hpp needs beyond the search.
#pragma once

#include <string>

#include "explore/story.hpp"
#include "explore/trace.hpp"
#include "explore/world.hpp"

namespace holdfast {

class TracedWorld : public SearchWorld {
 public:
  // Cause of the last schedule's severe violation, in words (story.hpp).
  virtual std::string cause() const = 0;
  // The mistake that its two holders show without a fault, in sentences (story.hpp); empty: none by itself.
  virtual std::string flaw(const Violation& violation) const = 0;
  // Ends the schedule where it is: when all leases have expired, no client can acquire the lock. False where a client
  // is inside a call, or a lock has no lease.
  virtual bool is_stuck_from_here() { return false; }
  virtual StuckBy stuck_by(std::uint32_t /*client*/) const { return {}; }
  // From the next reset on, writes a trace, with plain names or the search's.
  virtual void for_people(bool wanted, bool plain_names) = 0;
  virtual const Trace& trace() const = 0;
  // Returns true if equal words may lead elsewhere another time: a find that does not occur again is then dropped, not
  // an error.
  virtual bool may_differ() const { return false; }
  virtual bool waited() const { return false; }  // a statement waited for a row lock in the last schedule
};

}  // namespace holdfast
