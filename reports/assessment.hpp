// The answer to "is this lock safe?", made of the verdict of a run of one lock: where it is safe, where the data was
// damaged, what two believed at once, what was not tried, and each cause once with the cases that show it.
//
//   const Assessment a = assess(run, {.plain = {"none", "crowd"}, .instead = "..."});
//   a.headline.text            "data damaged"
//   a.findings.front().cases   {"pause_critical_section", "lapses"}: the simplest leads
//   say("{}", assessment_text(a, run, again));
//
// Pure: it judges nothing anew, and what the verdicts leave open stays open. Cases in which nothing was judged are not
// safe; they are told with the reason.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/lock_findings.hpp"
#include "reports/severity.hpp"
#include "reports/shown.hpp"

namespace holdfast {

// Cases in which the same faults strike, at different points.
struct CaseGroup {
  std::string faults;              // "pause", "kill and pause"; "no fault"
  std::vector<std::string> cases;  // names of scenarios
  int all = 0;                     // of these faults, that were judged
};

// What says nothing, by its reason.
struct NothingKnown {
  std::string why;
  std::vector<std::string> cases;
  bool tried = false;  // and came to no verdict
};

struct Assessment {
  std::string lock;
  Headline headline;
  std::vector<CaseGroup> safe;
  std::vector<CaseGroup> damaged;
  std::vector<CaseGroup> believed;  // two at once, the data is safe
  std::vector<CaseGroup> disowned;  // freed or lost against the owner, or a token that fell
  std::vector<CaseGroup> stuck;
  std::vector<CaseGroup> misled;      // only an answer was wrong
  std::int64_t refused = 0;           // stale writes, in `believed`
  std::string searched;               // what explore came to; empty: it did not search
  std::string within;                 // the bounds of all that it says; empty as before
  std::vector<NothingKnown> unknown;  // undecided, failed, not tried
  std::vector<LockFinding> findings;  // promises broken without any fault first, then all broken ones, then the worst
  std::string instead;                // what to use in place of this lock
  std::vector<std::string> notes;     // as RunVerdict has them
  int exit_code = 0;                  // 1 where something broke, 3 where nothing was judged; else as the run's
};

struct AssessmentSettings {
  std::set<std::string> plain;  // scenarios that ask nothing special: what breaks there explains what breaks elsewhere
  std::string instead;          // as LockTexts has it
  std::vector<FoundSchedule> schedules{};  // that a search found, the cheapest of a cause first
};

// Of a run of one lock.
Assessment assess(const RunVerdict&, const AssessmentSettings&);

// Where the whole is, and how to see it again.
struct SeeAgain {
  std::string page;
  std::string command;                   // the whole again
  std::string circumstances;             // "Redis 7.0.15 · seed 42 · 56 s"
  std::vector<std::string> finds;        // of each finding, the command that replays its simplest case
  std::vector<std::string> schedules{};  // and the schedule that a search found of it; empty: it found none
};

// One screen.
Shown assessment_text(const Assessment&, const SeeAgain&, bool colour);
nlohmann::ordered_json assessment_json(const Assessment&, const SeeAgain&);

}  // namespace holdfast
