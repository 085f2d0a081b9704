// A scenario under construction: its JSON, and its expectations.
//
//   ScenarioDraft draft(type, "my_lock", "none", "several clients, nothing goes wrong");
//   draft.set("hold_ms", {60, 200});
//   suite.push_back(draft.finish());
//
// It starts with a short, crowded load, with a lease as short as the lock's interface allows. A lease counts from the
// request, because the time of a waiting acquire's grant is unknown: if acquire waits, the lease is longer by the
// longest wait, otherwise a correct lock's grant could be over when it arrives.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "artifact/scenario.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// Extent to which the fault, or the load, makes a correct holder outlive its lease: not; until its next deadline check
// before the write; or even beyond any check.
enum class Outlives : std::uint8_t { no, until_it_looks, yes };

class ScenarioDraft {
 public:
  ScenarioDraft(const LockType& type, const std::string& lock, std::string name, const std::string& about);
  // Starts from a scenario written for other locks: uses its load, faults, servers and what it allows for every lock,
  // but not its other expectations or settings for single locks.
  ScenarioDraft(const LockType& type, const std::string& lock, std::string name, const Scenario& world);

  std::int64_t lease_ms() const { return lease_ms_; }
  // Long enough that the lease has ended, including a server's rounding, and another client has been granted the lock.
  std::int64_t beyond_ms() const;

  ScenarioDraft& set(const std::string& key, nlohmann::json value);
  ScenarioDraft& add_fault(nlohmann::json fault);
  // With a fencing token, or a deadline check before the write, the data must still be safe.
  ScenarioDraft& outlives(Outlives word);

  // The server forgets acknowledged data, so a second grant cannot be prevented by a client.
  ScenarioDraft& server_forgets();

  // Few clients, or none, may hold during the fault: exclusion holds or is not exercised.
  ScenarioDraft& moment_only();

  Scenario finish() const;  // throws BadInput if the draft is invalid: a mistake in this program

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
