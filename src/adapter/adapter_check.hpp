// Whether an adapter speaks properly: `holdfast adapter check`, once servers run. Two clients, no fault but short
// stops; every rule says OK, WRONG with the line, what was expected and how to mend it, or SKIPPED and why.
//
//   const AdapterReport report = check_adapter(manifest, [&](std::uint32_t client) { return start_of(client); });
//   for (const RuleResult& one : report.rules) say(one.text());
//   return report.good() ? 0 : 1;
//
// It knows nothing of labs and servers: who calls it says how an adapter is started. Nothing is thrown for what an
// adapter does; what the machine lacks is Unavailable, what is ours HarnessError.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "adapter/adapter_rules.hpp"
#include "adapter/adapter_talk.hpp"

namespace holdfast {

struct RuleResult {
  std::string rule;
  std::string about;
  RuleFinding finding;

  std::string text() const;  // one line, or four of a wrong one
};

struct AdapterReport {
  std::vector<RuleResult> rules;
  bool good() const;  // none is wrong
};

// `told`: each result as soon as there is one. The lease of the hellos should be a second or two, since one rule waits
// for its end. `only`: these rules, besides that it starts; empty: all.
AdapterReport check_adapter(const Manifest& manifest, const StartAdapter& start,
                            const std::function<void(const RuleResult&)>& told = {},
                            const std::vector<std::string>& only = {});

}  // namespace holdfast
