// Is it safe? One answer per lock: its grade, and the reason in words. Only locks that a run judged by their promises
// alone have one: no scenario expects a violation, and those that no lease prevents are allowed (docs/generated.md).
//
//   for (const auto& answer : lock_answers(assess(run))) ...
//
//   my_lock is as safe as a lease can be: it kept every promise in all 26 cells. In 4 cells a holder that was stopped,
//   cut off or still working past its lease acted alongside another, which a lease cannot prevent; the data was damaged
//   in 3 of them. A fencing token that the resource checks would keep the data safe.
#pragma once

#include <string>
#include <vector>

#include "reports/assessment.hpp"

namespace holdfast {

std::vector<std::string> lock_answers(const RunAssessment&);

// Why a lock has its grade, in whole sentences, with the remedy.
std::string grade_reason(const LockAssessment&);

// The exit code of a run whose grades count: 1 where a lock is broken, 3 where all came out as expected and a lock's
// grade is not known; else the run's own.
int exit_code_with_grades(const RunAssessment&);

// The grades of a run, for programs.
std::vector<GradeRecord> grade_records(const RunAssessment&);

// The state of the data after a run of any other locks, whatever was expected.
//
//   Data damaged: insert_lease/pause, ip_lease (8 cells).
//   Two believed at once, and the data was not damaged (stale writes refused: 1): fenced_lease/pause.
std::vector<std::string> data_answers(const RunAssessment&);

// The grade of the lock, and the worst of the promises that it broke: "broken: two believed at once, the data is safe
// (stale writes refused: 3)". For a run that grades no single lock, the worst violation seen.
std::string headline_text(const RunAssessment&);

// "my_lock: broken: data damaged": the first words of the page and the summary of a suite that was made for one lock.
// Empty for every other run, where the comparison with what was expected says more.
std::string answer_of(const RunAssessment&);

}  // namespace holdfast
