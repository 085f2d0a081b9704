// `holdfast adapter check`, with running servers: whether an adapter follows the protocol. Two clients, no faults but
// short stops. Each rule gives OK; WRONG with the line, the expectation and the remedy; UNDECIDED if a starved machine
// may be the cause, twice; or SKIPPED with the reason.
//
//   const AdapterReport report = check_adapter(manifest, [&](std::uint32_t client) { return start_of(client); });
//   for (const RuleResult& one : report.rules) say(one.text());
//   return report.good() ? 0 : 1;
//
// It does not depend on labs or servers: the caller defines how an adapter is started. An adapter's mistakes are
// results, not exceptions; it throws Unavailable for what the machine lacks, and HarnessError for errors of the
// harness.
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

  std::string shows{};  // only of a finding: the command that shows it in the library

  std::string text() const;  // one line; several for a result that is wrong or undecided
};

struct AdapterReport {
  std::vector<RuleResult> rules;
  bool good() const;  // true if no result is wrong
};

struct AdapterCheckOptions {
  std::function<void(const std::string& rule)> begins{};  // called before each rule that is tried
  std::function<void(const RuleResult&)> told{};          // called with each result immediately
  std::vector<std::string> only{};                        // rules to check, besides starting; empty: all
  std::vector<pid_t> servers{};                           // processes whose waits for a processor count
  std::string tries = "holdfast try";                     // the command that tries the lock
};

// The lease of the hellos should be a second or two, since two rules wait for its end.
AdapterReport check_adapter(const Manifest& manifest, const StartAdapter& start,
                            const AdapterCheckOptions& options = {});

}  // namespace holdfast
