// What the search drives: something that can be set back to its beginning, says which words it would take next, takes
// one, and says what went wrong. The search knows no more, so that it can be tried on small worlds in memory, against
// plain enumeration.
//
//   world.reset();
//   while (!world.options().empty()) world.take(world.options().front().word);
//   for (const Violation& v : world.violations()) ...
//   auto place = world.here();     // kept, and
//   world.go_to(*place);           // gone back to, as if its words had been taken again from the beginning
//
// A world is deterministic: the same words lead to the same state. `state()` is equal for two histories only if
// everything that can follow is the same for both, so that the search need not follow both; a world that cannot tell
// may give each history a number of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "artifact/schedule_word.hpp"

namespace holdfast {

template <typename Object>
struct JsonForm;  // artifact/json_fields.hpp

// What a schedule has spent. A preemption takes the turn from an actor that could go on; where an actor waits, or
// ends, changing to another is free, and so is time that passes because everybody waits for it.
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
  std::string text;       // what is wrong, in words
  // A schedule ends with a violation that is severe. One that is not (only a naive client falls for it) lets it go on.
  bool severe = true;
};

// A moment of a schedule that a world can come back to.
class SearchPlace {
 public:
  virtual ~SearchPlace() = default;
};

class SearchWorld {
 public:
  virtual ~SearchWorld() = default;
  virtual void reset() = 0;
  // The first costs nothing: going on. Empty: the schedule is over.
  virtual std::vector<Option> options() = 0;
  virtual void take(const Word& word) = 0;                       // throws BadInput when that word is not possible now
  virtual void finish() {}                                       // when a schedule is over: what can be told only then
  virtual const std::vector<Violation>& violations() const = 0;  // of this schedule so far
  virtual std::uint64_t state() = 0;
  // How the severe violation of this schedule came about: equal where it is the same story. Of a world that tells none
  // each invariant has one.
  virtual std::uint64_t story() const { return 0; }
  virtual std::shared_ptr<const SearchPlace> here() = 0;
  virtual void go_to(const SearchPlace& place) = 0;  // of this world, or of one that is searched beside it
};

}  // namespace holdfast
