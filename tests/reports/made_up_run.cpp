#include "tests/reports/made_up_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "reports/lock_answer.hpp"

namespace holdfast::made_up {
namespace {

TrialResult result_of(const TrialVerdict& verdict, Outcome outcome, int number, const std::string& folder) {
  TrialResult out;
  out.number = number;
  out.seed = verdict.seed;
  out.folder = folder;
  out.outcome = outcome;
  out.verdict = verdict;
  out.verdict.timeline = {};
  out.seconds = 19.4;
  return out;
}

std::vector<Mismatch> mismatches_of(Outcome outcome) {
  if (outcome == Outcome::unexpected) {
    return {{"mutual_exclusion", "holds", "violated:overrun"}, {"resource", "holds", "violated:overrun"}};
  }
  if (outcome == Outcome::missed) return {{"mutual_exclusion", "violated:overrun", "holds"}};
  if (outcome == Outcome::undecided) return {{"lease_exclusion", "holds", "not_exercised"}};
  return {};
}

void add_cell(Page& in, const std::string& lock, const std::string& scenario, Outcome outcome, int trials) {
  Cell cell;
  cell.lock = lock;
  cell.scenario = scenario;
  cell.outcome = outcome;
  const bool violated = outcome == Outcome::caught || outcome == Outcome::allowed || outcome == Outcome::unexpected;
  const bool good = outcome <= Outcome::caught;
  if (outcome == Outcome::allowed) {
    cell.expected = {{"mutual_exclusion", "allowed:overrun"}, {"resource", "allowed:overrun"}, {"progress", "allowed"}};
  }
  if (outcome == Outcome::caught || outcome == Outcome::missed) {
    cell.expected = {{"mutual_exclusion", "violated:overrun"}, {"resource", "violated:overrun"}};
    cell.why = "no lease survives a pause longer than itself";
  }
  for (int n = 1; n <= trials; ++n) {
    TrialVerdict verdict = violated ? overlapping_trial(lock, scenario) : holding_trial(lock, scenario);
    verdict.seed += static_cast<std::uint64_t>(n);
    if (outcome == Outcome::undecided) {
      verdict.judgement = verdict.properties[0].judgement = Judgement::not_exercised;
      verdict.properties[0].reason = "no grant was live while the fault acted";
    }
    const std::string folder = fmt::format("{}/{}/{}", lock, scenario, n);
    TrialResult trial = result_of(verdict, outcome, n, folder);
    trial.mismatches = mismatches_of(outcome);
    if (outcome == Outcome::harness_error)
      trial.error = "kill_server: the server did not answer within 10 s after its restart";
    if (outcome == Outcome::unavailable) trial.error = "delay: this kernel has no sch_netem";
    in.trials[folder] = std::move(verdict);
    cell.trials.push_back(std::move(trial));
  }
  cell.trials_as_expected = good ? trials : 0;
  in.run.cells.push_back(std::move(cell));
}

// Each of the faults that a grade wants has struck a holder.
void strike_holders(TrialResult& trial) {
  for (const char* fault : {"kill", "pause", "partition", "reply_lost"}) {
    FaultProof proof{fault, 1, 1, "", ""};
    proof.holders = 1;
    proof.struck.granted = 1;
    trial.faults.push_back(proof);
  }
}

Page frame() {
  Page in;
  in.run.version = "0.1.0";
  in.run.started_utc = "2026-01-31T12:00:00Z";
  in.run.suite = "quick";
  in.run.server = "MariaDB 10.11.19";
  in.run.command = "holdfast run scenarios/quick --seed 42";
  in.run.seed = 42;
  in.run.seconds = 192.4;
  in.run.locks = {"insert_lease", "nowait_lease", "ip_lease", "fenced_lease"};
  in.run.scenarios = {"none", "pause", "partition", "skew", "kill_server"};
  in.run.faults = {{"pause", 5, 5, "longest 2.31 s", ""},
                   {"partition", 4, 4, "1,204 packets dropped", ""},
                   {"client_skew", 4, 4, "+1.500 s, read back", ""},
                   {"kill_server", 3, 4, "answered again after 0.41 s", ""},
                   {"delay", 0, 0, "", "this kernel has no sch_netem"}};
  in.environment = {{"cpu", "2 cores"}, {"kernel", "6.1.0-28-amd64"}, {"stalls", "0"}, {"compiler", "GCC 12.2"}};
  return in;
}

}  // namespace

std::string page_of(const Page& page) {
  const RunAssessment found = assess(page.run);
  return html_page({page, found});
}

FormatInput format_input(const Page& page, const RunAssessment& found) {
  return {{page, found}, ""};
}

Page failing_run(int trials) {
  Page in = frame();
  for (const auto& lock : in.run.locks) {
    for (const auto& scenario : in.run.scenarios) {
      Outcome outcome = scenario == "pause" && lock != "fenced_lease" ? Outcome::caught : Outcome::as_expected;
      if (lock == "ip_lease") outcome = scenario == "none" ? Outcome::missed : Outcome::caught;
      if (lock == "nowait_lease" && scenario == "skew") outcome = Outcome::unexpected;
      if (lock == "fenced_lease" && scenario == "skew") outcome = Outcome::undecided;
      if (lock == "fenced_lease" && scenario == "kill_server") outcome = Outcome::harness_error;
      if (lock == "fenced_lease" && scenario == "partition") outcome = Outcome::unavailable;
      add_cell(in, lock, scenario, outcome, trials);
    }
  }
  in.run.exit_code = 1;
  return in;
}

Page passing_run() {
  Page in = frame();
  for (const auto& lock : in.run.locks) {
    for (const auto& scenario : in.run.scenarios) add_cell(in, lock, scenario, Outcome::as_expected, 1);
  }
  return in;
}

Page allowed_run() {
  Page in = frame();
  in.run.locks = {"insert_lease"};
  for (const auto& scenario : in.run.scenarios) {
    const bool stopped = scenario == "pause" || scenario == "partition";
    add_cell(in, "insert_lease", scenario, stopped ? Outcome::allowed : Outcome::as_expected, 1);
    in.run.cells.back().expected["progress"] = "allowed";
  }
  strike_holders(in.run.cells.front().trials.front());
  in.run.grades = grade_records(assess(in.run));
  return in;
}

Page broken_run() {
  Page in = frame();
  in.run.suite = "generated";
  in.run.locks = {"nowait_lease"};
  for (const auto& scenario : in.run.scenarios) {
    add_cell(in, "nowait_lease", scenario, scenario == "skew" ? Outcome::unexpected : Outcome::as_expected, 1);
    in.run.cells.back().expected["progress"] = "allowed";
  }
  strike_holders(in.run.cells.front().trials.front());
  in.run.exit_code = 1;
  in.run.grades = grade_records(assess(in.run));
  return in;
}

Page interrupted_run() {
  Page in = frame();
  add_cell(in, "insert_lease", "none", Outcome::as_expected, 1);
  add_cell(in, "nowait_lease", "skew", Outcome::unexpected, 1);
  in.run.interrupted = true;
  in.run.exit_code = 130;
  return in;
}

Page hostile_run(const std::string& text) {
  Page in = frame();
  in.run.version = in.run.started_utc = in.run.suite = in.run.server = in.run.command = in.run.sentence = text;
  in.run.locks = {text};
  in.run.scenarios = {text};
  add_cell(in, text, text, Outcome::unexpected, 2);
  Cell& cell = in.run.cells.front();
  cell.why = cell.suite = text;
  cell.expected = {{text, text}};
  for (auto& trial : cell.trials) {
    trial.error = text;
    trial.control = ControlResult{text, text, text, false, text};
    trial.causes = {{text, text, true, {text}, CauseState::open, 1, 2, text, {text}}};
    trial.mismatches = {{text, text, text}, {"mutual_exclusion", text, text}};
    for (auto& p : trial.verdict.properties) {
      p.kind = p.reason = text;
      p.coverage[text] = 1;
      p.kinds = {{text, 1}, {"other", 2}};
      for (auto& w : p.witnesses) w.key = w.kind = w.text = text;
    }
  }
  for (auto& [folder, verdict] : in.trials) {
    for (auto& span : verdict.timeline.spans) span.key = text;
    for (auto& write : verdict.timeline.writes) write.key = write.result = text;
    for (auto& fault : verdict.timeline.faults) fault.fault = fault.detail = text;
  }
  in.run.faults = {{text, 1, 1, text, ""}, {text, 0, 0, "", text}};
  in.run.not_tried = {{text, text, text}};
  in.environment = {{text, text}};
  for (const auto& [folder, verdict] : in.trials) in.unpacked[folder] = text;
  return in;
}

Page hostile_error(const std::string& text, Outcome outcome) {
  Page in = hostile_run(text);
  Cell& cell = in.run.cells.front();
  cell.outcome = outcome;
  for (auto& trial : cell.trials) {
    trial.outcome = outcome;
    trial.verdict = {};
    trial.mismatches.clear();
  }
  if (outcome == Outcome::not_run) {
    in.run.stopped = text;
    cell.planned = 3;
  }
  in.run.command.clear();  // then the suite's name stands in its place
  in.run.exit_code = outcome == Outcome::unavailable ? 4 : outcome == Outcome::not_run ? 3 : 5;
  return in;
}

Page hostile_search(const std::string& text) {
  Page in = hostile_run(text);
  Cell& cell = in.run.cells.front();
  in.run.suite = kExplored;
  cell.suite.clear();
  in.run.scenarios = {kExplored};
  cell.scenario = kExplored;
  cell.outcome = Outcome::as_expected;
  for (auto& trial : cell.trials) trial.outcome = Outcome::as_expected;
  in.run.within = text;
  return in;
}

}  // namespace holdfast::made_up
