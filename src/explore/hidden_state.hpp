// A lock, or its store, whose answers depend on state that explore can neither see nor restore, so no result would be
// reliable. Neither a harness error nor a verdict: exit code 4, with a remedy.
//
// Before a search, one schedule is run three times on new tables (LockWorld::learn), and memoized answers are verified
// during the search. If the store differs, the search starts again without rows of earlier schedules, and then with
// everything recreated for each schedule, in one worker if names are global to the server. If that differs too, or the
// lock's own code does, it stops.
#pragma once

#include <string>

#include "artifact/error.hpp"

namespace holdfast {

struct HiddenState : Unavailable {
  using Unavailable::Unavailable;
};

// The store answered differently in an apparently equal state; on a fresh store it may not.
struct HiddenInStore : HiddenState {
  using HiddenState::HiddenState;
};

// A statement may have several lines; a message has one.
inline std::string in_one_line(std::string text) {
  for (char& letter : text) letter = letter == '\n' ? ' ' : letter;
  return text;
}

inline HiddenState hidden_in_lock(const std::string& what) {
  return HiddenState(
      "explore cannot follow this lock: " + in_one_line(what) +
      ". Its code depends on something that the schedule does not control: a random number (std::random_device), a "
      "clock that it reads itself, a static or global variable. Remedy: take values from the claim (its owner is "
      "unique to each grant) and times from the session, and keep state in members; or test it with holdfast run");
}

inline HiddenInStore hidden_in_store(const std::string& what) {
  return HiddenInStore("explore cannot follow this lock: " + in_one_line(what) +
                       ". The answer depends on something in the server that explore can neither see nor undo: a "
                       "random number (RAND, UUID), a session number, or state outside the lock's own tables. Remedy: "
                       "remove it from the lock's statements, or test the lock with holdfast run");
}

}  // namespace holdfast
