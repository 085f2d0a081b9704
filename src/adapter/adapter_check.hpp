// `holdfast adapter check`, once servers run: whether an adapter keeps to the protocol. Two clients, no fault but short
// stops. Every rule says OK; WRONG with the line, what was expected and the remedy; UNDECIDED where a starved machine
// may be the cause, twice; or SKIPPED and why.
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

  std::string shows{};  // of a finding: what shows it where it is the library's

  std::string text() const;  // one line, or several of one that is wrong or undecided
};

struct AdapterReport {
  std::vector<RuleResult> rules;
  bool good() const;  // none is wrong
};

struct AdapterCheckOptions {
  std::function<void(const std::string& rule)> begins{};  // before each rule that is tried
  std::function<void(const RuleResult&)> told{};          // each result as soon as there is one
  std::vector<std::string> only{};                        // these rules, besides that it starts; empty: all
  std::vector<pid_t> servers{};                           // whose waits for a processor count
  std::string tries = "holdfast try";                     // the command that tries the lock
};

// The lease of the hellos should be a second or two, since two rules wait for its end.
AdapterReport check_adapter(const Manifest& manifest, const StartAdapter& start,
                            const AdapterCheckOptions& options = {});

}  // namespace holdfast
