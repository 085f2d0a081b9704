// What the faults of a trial have in common, each on a thread of its own: what they tell, what went wrong, whom they
// strike just now.
//
//   NemesisRecord record;
//   record.error("pause", "it was not seen to heal");
//   { const SoleStrike sole(record, "pause", victims); ... }    // no other pause strikes these meanwhile
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nemesis/fault.hpp"

namespace holdfast {

struct NemesisReport {
  std::vector<Event> events;
  std::vector<std::string> errors;
};

class NemesisRecord {
 public:
  void tell(Event event);
  void error(const std::string& fault, const std::string& why);
  NemesisReport report() const;

  // One of a kind at a time: the second would take the place of the first, and whichever heals first would end both.
  void claim(const std::string& fault, const Victims& victims);  // HarnessError when one of them is claimed
  void give_back(const std::string& fault, const Victims& victims);

 private:
  mutable std::mutex mutex_;
  NemesisReport report_;
  std::set<std::pair<std::string, std::uint32_t>> struck_;  // just now, by which fault
};

// Whom a fault strikes is its alone among those of its kind, for as long as this lives.
class SoleStrike {
 public:
  SoleStrike(NemesisRecord& record, const std::string& fault, const Victims& victims)
      : record_(record), fault_(fault), victims_(victims) {
    record_.claim(fault_, victims_);
  }
  SoleStrike(const SoleStrike&) = delete;
  SoleStrike& operator=(const SoleStrike&) = delete;
  ~SoleStrike() { record_.give_back(fault_, victims_); }

 private:
  NemesisRecord& record_;
  const std::string& fault_;
  const Victims& victims_;
};

}  // namespace holdfast
