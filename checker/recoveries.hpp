// How long it took after each fault's end until the lock was granted again: 0 for a key that somebody held at that
// moment, within a lease that still ran; else up to the next grant of it. Of several keys the slowest counts.
//
// A key that nobody asked for from then on says nothing; a fault after which nobody asked for any has no recovery.
#pragma once

#include <map>
#include <vector>

#include "checker/availability.hpp"
#include "checker/service.hpp"

namespace holdfast {

class Recoveries {
 public:
  explicit Recoveries(const Availability& availability) : availability_(availability) {}

  void granted(const Hold& hold);
  void event(const Event& event);
  std::vector<Recovery> finish() const;

 private:
  struct Healed {
    std::string fault;
    std::int64_t at_ns = 0;
    std::int64_t slowest_ns = -1;           // so far; -1: no key is known to be back
    std::map<std::uint32_t, bool> missing;  // keys that nobody held or was granted since: whether one was asked for
  };
  const Availability& availability_;
  std::vector<Healed> healed_;
  std::map<std::uint32_t, bool> keys_;  // that were ever asked for
};

}  // namespace holdfast
