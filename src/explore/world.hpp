// Interface of a searched world: it can be reset, lists the words it can take next, takes one, and reports violations.
// The search needs nothing else, so it is tested on small worlds in memory against plain enumeration.
//
//   world.reset();
//   while (!world.options().empty()) world.take(world.options().front().word);
//   for (const Violation& v : world.violations()) ...
//   auto place = world.here();     // stores a place, and
//   world.go_to(*place);           // returns to it, as if its words had been taken from the beginning
//
// A world is deterministic: equal words lead to equal states. `state()` is equal for two histories only if all
// continuations are equal, so that the search need not follow both; a world that cannot decide this may give each
// history its own number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "artifact/schedule_word.hpp"

namespace holdfast {

template <typename Object>
struct JsonForm;  // artifact/json_fields.hpp

// Cost spent by a schedule. A preemption takes the turn from an actor that could continue; changing from an actor that
// waits or has ended is free, and so is time that passes because all actors wait for it.
struct Cost {
  int preemptions = 0;
  int time_jumps = 0;
  int faults = 0;

  int total() const { return preemptions + time_jumps + faults; }
  bool within(const Cost& bounds) const {
    return preemptions <= bounds.preemptions && time_jumps <= bounds.time_jumps && faults <= bounds.faults;
  }
  Cost operator+(const Cost& other) const {
    return {preemptions + other.preemptions, time_jumps + other.time_jumps, faults + other.faults};
  }
  bool operator==(const Cost&) const = default;

  static const JsonForm<Cost>& form();
};

struct Option {
  Word word;
  Cost cost;
};

struct Violation {
  std::string invariant;  // "two_holders"
  std::string text;       // the violation, in words
  // A severe violation ends the schedule. Otherwise (it affects only a naive client) the schedule continues.
  bool severe = true;
};

// A point of a schedule to which a world can return.
class SearchPlace {
 public:
  virtual ~SearchPlace() = default;
};

class SearchWorld {
 public:
  virtual ~SearchWorld() = default;
  virtual void reset() = 0;
  // Options in order; the first one, continuing, is free. Empty: the schedule is over.
  virtual std::vector<Option> options() = 0;
  virtual void take(const Word& word) = 0;  // throws BadInput if the word is not possible now
  virtual void finish() {}                  // at the end of a schedule, for violations visible only then
  virtual const std::vector<Violation>& violations() const = 0;  // of this schedule so far
  virtual std::uint64_t state() = 0;
  // Hash of the severe violation's story: equal for equal stories. In a world without stories each invariant has one.
  virtual std::uint64_t story() const { return 0; }
  virtual std::shared_ptr<const SearchPlace> here() = 0;
  virtual void go_to(const SearchPlace& place) = 0;  // a place of this world, or of one searched in parallel
};

}  // namespace holdfast
