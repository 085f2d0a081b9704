// A scenario that is being made: the JSON of a scenario's file, and what must come of it.
//
//   ScenarioDraft draft(type, "my_lock", "none", "several clients, nothing goes wrong");
//   draft.set("hold_ms", {60, 200});
//   suite.push_back(draft.finish());
//
// It begins with a load that is short and crowded, with a lease as short as the lock's interface allows. A lease counts
// from when it was asked for, since nobody knows when a waiting acquire got its turn: so where acquire waits, a lease
// is longer by the longest wait, else a sound lock's grant could be over when it arrives.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "artifact/scenario.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// Whether the fault, or the load, makes a sound holder outlive its lease: never; until its next look at a deadline of
// its own, before it writes; or so that no look could help.
enum class Outlives : std::uint8_t { no, until_it_looks, yes };

class ScenarioDraft {
 public:
  ScenarioDraft(const LockType& type, const std::string& lock, std::string name, const std::string& about);
  // In the world of a scenario that was made for other locks: its load, faults and servers, what it allows to every
  // lock, and nothing else of what it expects of them, says of single ones, or compares them with.
  ScenarioDraft(const LockType& type, const std::string& lock, std::string name, const Scenario& world);

  std::int64_t lease_ms() const { return lease_ms_; }
  // So long that the lease is over, whatever the server rounds up, and that somebody else has been granted the lock.
  std::int64_t beyond_ms() const;

  ScenarioDraft& set(const std::string& key, nlohmann::json value);
  ScenarioDraft& add_fault(nlohmann::json fault);
  // With a fencing token, or where it looks before it writes, the data must be safe all the same.
  ScenarioDraft& outlives(Outlives word);

  // The server forgets what it acknowledged: that another is granted it then, no client prevents.
  ScenarioDraft& server_forgets();

  // While the fault is in force nobody may hold, or few may meet: exclusion holds, or is not exercised.
  ScenarioDraft& moment_only();

  Scenario finish() const;  // throws BadInput when it is no scenario: a mistake of ours

 private:
  void keep_every_promise();
  void keep_allowed(const nlohmann::json& world);
  void allow(const std::string& property, const std::string& kinds);

  const LockType& type_;
  std::string suite_;
  std::string name_;
  std::int64_t lease_ms_;
  nlohmann::json json_;
};

}  // namespace holdfast
