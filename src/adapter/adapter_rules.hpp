// The rules of `holdfast adapter check`, by name: how a correct adapter behaves when no fault strikes. Whether the lock
// keeps its promises is judged by trials, but some rules cannot tell an adapter's mistake from a flaw of the library.
// They have a `finding`, and their remedy must not hide the flaw.
#pragma once

#include <vector>

#include "adapter/adapter_talk.hpp"

namespace holdfast {

struct AdapterRule {
  const char* name = "";
  const char* about = "";  // one line, for people
  const char* can = "";    // word of `can` without which the rule is skipped
  RuleFinding (*check)(AdapterTalk& talk) = nullptr;
  const char* finding = "";  // how to show it if the library itself behaves so; %try: the command that tries the lock
};

std::vector<AdapterRule> required_rules();   // for every adapter
std::vector<AdapterRule> can_rules();        // for its declared abilities
std::vector<AdapterRule> kind_rules();       // for its kind: election, scheduler
std::vector<AdapterRule> ending_rules();     // for its end
std::vector<AdapterRule> assertion_rules();  // for its author's assertions; after the others, which evaluate them

}  // namespace holdfast
