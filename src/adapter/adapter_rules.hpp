// The rules of `holdfast adapter check`, by name: what an adapter that speaks properly does when no fault strikes. A
// trial judges whether the lock keeps its promises; but some rules cannot tell an adapter's mistake from a flaw of the
// library. They have a `finding`, and no remedy of theirs may hide the flaw.
#pragma once

#include <vector>

#include "adapter/adapter_talk.hpp"

namespace holdfast {

struct AdapterRule {
  const char* name = "";
  const char* about = "";  // one line, for people
  const char* can = "";    // the word of the manifest without which it is skipped
  RuleFinding (*check)(AdapterTalk& talk) = nullptr;
  const char* finding = "";  // what shows it where the library does so by itself; %try: the command that tries the lock
};

std::vector<AdapterRule> required_rules();  // what every adapter must know
std::vector<AdapterRule> can_rules();       // what it says that it can
std::vector<AdapterRule> kind_rules();      // what its kind asks of it: of an election, of a scheduler
std::vector<AdapterRule> ending_rules();    // how it ends

}  // namespace holdfast
