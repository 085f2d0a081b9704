// Scenarios with faults that strike one client while it acquires, works, renews or releases.
//
//   class FaultScenarios : public StrikeScenarios {
//     ... add({"kill_critical_section", "the holder is killed", fault});
//   };
//
// A strike states what its faults mean for a holder; the load's length and the allowed failures follow from that.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artifact/enumeration.hpp"
#include "generate/generated_suite.hpp"
#include "generate/scenario_draft.hpp"

namespace holdfast {

inline constexpr int kFewClients = 3;

// A client's late action shows only if another holds the lock by then, so jobs are long and waits short.
inline const nlohmann::json kLongJob_ms{200, 400};
// Faults aimed at grants use two clients: with more, most requests for a free key are refused. A grant whose answer is
// lost keeps the key for the rest of its lease, which must end before the next strike.
inline constexpr int kFewestClients = 2;
inline constexpr std::int64_t kLongestOrphans_ms = 9000;
inline const std::vector<int> kGrants{2, 4, 6, 8};

inline constexpr EnumWords<Situation> kOperations({"acquire", "acquire", "renew", "release"});

// The faults, and their meaning for a holder.
struct Strike {
  Strike(std::string called, std::string words, const nlohmann::json& fault, Outlives how_long = Outlives::no)
      : name(std::move(called)), about(std::move(words)), outlives(how_long) {
    if (!fault.empty()) faults.push_back(fault);
  }

  std::string name;  // of the scenario
  std::string about;
  std::vector<nlohmann::json> faults;
  Outlives outlives;
  bool of_grants = false;  // each fault is aimed at an acquire that the server grants
};

class StrikeScenarios {
 public:
  StrikeScenarios(const LockType& type, std::string lock, const LockFacts& facts, GeneratedSuite& out)
      : type_(type), lock_(std::move(lock)), facts_(facts), out_(out) {}

 protected:
  void leave_out(const std::string& name, const std::string& why) { out_.left_out.push_back({lock_, name, why}); }
  void not_needed(const std::string& name, const std::string& why) {
    out_.left_out.push_back({lock_, name, why, {}, true});
  }
  void add(const Strike& strike, Situation situation = Situation::granted);
  // Except between the last check and the write, a lock that checks its deadline sees that its lease is over.
  Outlives until_looked() const { return facts_.looks_at_deadline ? Outlives::until_it_looks : Outlives::yes; }
  std::int64_t beyond_ms() const { return ScenarioDraft(type_, lock_, "x", "").beyond_ms(); }

  const LockType& type_;
  std::string lock_;
  const LockFacts& facts_;
  GeneratedSuite& out_;
};

}  // namespace holdfast
