// The controls of suspected causes for a whole run: the same plans without the suspected faults, in parallel.
//
//   CauseControls controls(options, cells, interrupted, environment, told);
//   if (!controls.run()) ... the time budget ended before all had run
//
// One control serves all questions of a cell with the same plan: each kind that the same faults may have caused, and
// each repetition of the cell (its first trial with the kind is repeated). Of each plan five must be judged; one that
// was not exercised, or had a stall, is repeated, at most three times. As soon as one shows the same violation, no more
// begin. They are stored in the trial's folder as control-1 and so on.
//
// They begin after all trials, since one may serve several, and read what they need from the folder. A history alone
// cannot show whether a lock would have failed without the fault.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "suite/suite.hpp"
#include "suite/trial_job.hpp"
#include "suite/trial_pool.hpp"

namespace holdfast {

// Called after each control: the numbers of finished and planned ones, the cell, and the result.
using ControlTold = std::function<void(int done, int all, const Cell& cell, const std::string& text)>;

class CauseControls {
 public:
  CauseControls(const SuiteOptions& options, std::vector<Cell>& cells, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment, ControlTold told);

  bool run();  // returns false if it was cut off

 private:
  struct Question {
    std::size_t cell;
    std::size_t trial;
    std::size_t cause;
  };
  // One plan, and the questions it answers.
  struct Group {
    std::vector<Question> questions;  // the first one's trial is repeated
    std::vector<std::string> faults;
    Plan plan;
    std::string plan_text;
    int begun = 0;
    int judged = 0;  // number that answered at least one question
    int running = 0;
  };

  void ask();
  void take_fault_free(const Question& question);
  void group(const Question& question);
  void take_over(Group& group);
  void take_over_control(Group& group, const std::string& folder);
  void take_over_plain(Group& group, const std::string& folder);
  bool wants_more(const Group& group) const;
  std::optional<PoolJob> next();
  void count_in(Group* group, const TrialResult& control);
  void count(Group& group, const TrialResult& control);
  void report(const Group& group, const TrialResult& control);
  void finish();
  bool over() const;
  int to_come() const;
  std::string free_folder(const std::string& trial_folder);
  CauseFinding& cause_of(const Question& question);
  const TrialResult& trial_of(const Group& group) const;
  TrialJob job_of(const Question& question) const;

  const SuiteOptions& options_;
  std::vector<Cell>& cells_;
  const std::atomic<bool>& interrupted_;
  TrialEnvironment& environment_;
  ControlTold told_;
  std::deque<Group> groups_;
  std::vector<Group*> begun_;    // in the order of their controls
  std::set<std::string> taken_;  // used folders of controls
  int done_ = 0;
  bool cut_ = false;
};

}  // namespace holdfast
