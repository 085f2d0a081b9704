// The answer of `holdfast try` to "is this lock safe?", on one screen, and the same for programs: where the lock is
// safe, where the data was damaged, what two believed at once, what was not tried, and each cause once with the cases
// that show it.
//
//   say("{}", assessment_text(assess(verdict), again, true));
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/assessment.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

// The full report, the commands that show it again, and the remedy.
struct SeeAgain {
  std::string page;
  std::string command;                   // the whole again
  std::string circumstances;             // "Redis 7.0.15 · seed 42 · 56 s"
  std::vector<std::string> finds{};      // for each finding, the command that replays its simplest case
  std::vector<std::string> schedules{};  // and the schedule that a search found of it; empty: it found none
  std::string instead{};                 // as LockTexts has it
};

TerminalText assessment_text(const RunAssessment&, const SeeAgain&, bool colour);
nlohmann::ordered_json assessment_json(const RunAssessment&, const SeeAgain&);

}  // namespace holdfast
