// Whom a fault strikes just now: that is its alone among those of its kind.
#include "artifact/error.hpp"
#include "nemesis/nemesis.hpp"

namespace holdfast {

// One of a kind at a time: the second would take the place of the first, and whichever heals first would end both.
void Nemesis::claim(const FaultSpec& spec, const Victims& victims) {
  const std::lock_guard guard(mutex_);
  for (const auto victim : victims) {
    if (struck_.count({spec.fault, victim}) == 0) continue;
    throw HarnessError("another " + spec.fault +
                       " still strikes the same; remedy: a later `at`, or a shorter one before");
  }
  for (const auto victim : victims) struck_.insert({spec.fault, victim});
}

void Nemesis::give_back(const FaultSpec& spec, const Victims& victims) {
  const std::lock_guard guard(mutex_);
  for (const auto victim : victims) struck_.erase({spec.fault, victim});
}

void Nemesis::strike_and_heal(std::size_t number, Fault& fault, const Victims& victims) {
  const FaultSpec& spec = specs_[number];
  const bool stopped_there = !spec.at.time_ms;
  if (!fault.lasts()) return perform(number, fault, victims, stopped_there);
  try {
    claim(spec, victims);
  } catch (...) {
    if (stopped_there) world_.release(number, Release::go_on);
    throw;
  }
  try {
    perform(number, fault, victims, stopped_there);
  } catch (...) {
    give_back(spec, victims);
    throw;
  }
  give_back(spec, victims);
}

}  // namespace holdfast
