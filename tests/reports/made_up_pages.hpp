// A history, envelopes and a list of runs that never were, for tests of their pages.
#pragma once

#include "artifact/curve.hpp"
#include "artifact/envelope.hpp"
#include "reports/history_page.hpp"
#include "reports/runs_page.hpp"
#include "tests/reports/made_up_history.hpp"

namespace holdfast::made_up {

inline HistoryPageInput history_input(bool violated) {
  const Story told = story("", "", 800, 5, violated);
  HistoryPageInput in;
  in.name = "app.jsonl";
  in.verdict = told.verdict;
  in.verdict.lock = in.verdict.scenario = "";
  in.verdict.model = "owner";
  in.verdict.not_judged = {"tokens are in the history"};
  in.packed = packed(told);
  in.version = "0.1.0";
  in.command = "holdfast report app.jsonl";
  return in;
}

inline EnvelopePoint envelope_point(std::int64_t amount, AtAmount answer) {
  EnvelopePoint out;
  out.amount = amount;
  out.answer = answer;
  out.trials = 3;
  out.held = answer == AtAmount::holds ? 3 : 1;
  out.violated = answer == AtAmount::violated ? 2 : 0;
  if (answer == AtAmount::violated) out.violations = {{"mutual_exclusion overrun", 2}};
  out.reason = answer == AtAmount::holds ? "" : "clients 1 and 2 both held \"k0\"";
  out.measured = "stopped for " + std::to_string(amount) + " ms";
  return out;
}

inline Envelope envelope(const std::string& lock) {
  Envelope out;
  out.lock = lock;
  out.fault = "pause";
  out.key = "for_ms";
  out.lease_ms = 2000;
  out.most = 6000;
  out.step = 50;
  return out;
}

inline EnvelopeRun envelopes() {
  EnvelopeRun run;
  run.version = "0.1.0";
  run.started_utc = "2026-01-31T12:00:00Z";
  run.command = "holdfast compare fenced_lease get_lock ip_lease --envelope pause";
  run.server = "MariaDB 10.11.19";
  run.seed = 42;
  run.repeat = 3;
  run.judged_by = {"mutual_exclusion", "resource"};
  run.dangerous_moment = "a holder is stopped just after its grant";
  Envelope fenced = envelope("fenced_lease");
  fenced.points = {envelope_point(0, AtAmount::holds), envelope_point(1800, AtAmount::holds),
                   envelope_point(1850, AtAmount::violated), envelope_point(3000, AtAmount::violated)};
  fenced.bracket.holds_at = 1800;
  fenced.bracket.violated_at = 1850;
  Envelope session = envelope("get_lock");
  session.points = {envelope_point(0, AtAmount::holds), envelope_point(6000, AtAmount::holds)};
  session.bracket.holds_at = 6000;
  Envelope racy = envelope("ip_lease");
  racy.points = {envelope_point(0, AtAmount::violated)};
  racy.bracket.violated_at = 0;
  Envelope open = envelope("insert_lease");
  open.points = {envelope_point(0, AtAmount::holds), envelope_point(1000, AtAmount::undecided),
                 envelope_point(4000, AtAmount::violated)};
  open.bracket.holds_at = 0;
  open.bracket.violated_at = 4000;
  open.bracket.undecided = {1000};
  run.envelopes = {fenced, session, racy, open};
  return run;
}

inline CurvePoint curve_point(CurvePart part, const std::string& moment, const std::string& tick,
                              std::int64_t counted = 20, std::int64_t violated = 0) {
  CurvePoint out;
  out.part = part;
  out.moment = moment;
  out.tick = tick;
  out.scenario = std::string(to_text(part)) + "_" + tick;
  out.planned = out.trials = 20;
  out.acted = out.counted = counted;
  out.violated = violated;
  if (counted < 20) out.reason = "the fault struck an acquire that was refused";
  if (counted > 0) out.low = violated == 0 ? 0 : 0.8389;
  if (counted > 0) out.high = violated == 0 ? 0.1611 : 1;
  if (violated == 0) return out;
  out.violations = {{"mutual_exclusion overrun", violated}, {"resource overrun", violated}};
  out.seen = "the data protected by \"k0\" was damaged: clients 0 and 2 both wrote version 8";
  out.violating_trial = 1;
  out.replay = "holdfast replay runs/20260131T120000Z-abcdef my_lock/" + out.scenario + " --trial 1";
  return out;
}

// A lock that breaks from where the pause crosses the end of its lease; one point is not measured.
inline CurveRun curve() {
  CurveRun run;
  run.version = "0.1.0";
  run.started_utc = "2026-01-31T12:00:00Z";
  run.command = "holdfast curve my_lock --fault pause --plans 20 --seed 42";
  run.server = "Redis 7.0.15";
  run.seed = 42;
  run.plans = 20;
  run.lock = "my_lock";
  run.fault = "pause";
  run.for_ms = 400;
  run.lease_ms = 2000;
  run.exit_code = 3;
  run.judged_by = {"lease_exclusion", "mutual_exclusion", "resource"};
  run.left_out = {{"renew", "the first trial showed no statement or request of it"}};
  run.points = {curve_point(CurvePart::no_fault, "jobs of 90 % of the lease", "90 %"),
                curve_point(CurvePart::no_fault, "jobs of 105 % of the lease", "105 %", 20, 20),
                curve_point(CurvePart::acquire, "before acquire", "before", 0),
                curve_point(CurvePart::acquire, "after acquire", "after", 17)};
  run.points.push_back(curve_point(CurvePart::hold, "just after the grant", "0"));
  for (const int percent : {25, 50, 75, 90, 105}) {
    const std::string share = std::to_string(percent) + " %";
    run.points.push_back(
        curve_point(CurvePart::hold, "write at " + share + " of the lease", share, 20, percent >= 90 ? 20 : 0));
    run.points.back().elapsed_ms = 20 * percent;
  }
  run.points.push_back(curve_point(CurvePart::release, "before release", "before"));
  run.points.push_back(curve_point(CurvePart::release, "after release", "after"));
  run.points.back().lapsed = 10;
  return run;
}

inline RunsPageInput runs() {
  RunLine passed{"20260101T120000Z-a",
                 "report.html",
                 "PASS",
                 "70 of 70 cells as expected",
                 "pass",
                 "quick: insert_lease, ip_lease and 7 more",
                 "MariaDB 10.11.19 · seed 42 · 1 m 08 s",
                 "2026-01-01T12:00:00Z"};
  RunLine failed{"20260202T120000Z-b",
                 "report.html",
                 "FAIL",
                 "my_lock: data damaged (2 of 20 cells not as expected)",
                 "fail",
                 "generated: my_lock",
                 "Redis 7.0.15 · seed 7 · 58.0 s",
                 "2026-02-02T12:00:00Z"};
  RunLine cut{"20260115T120000Z-c", "", "NOT COMPLETE", "the run did not finish", "open", "", "", ""};
  return {"runs", {passed, failed, cut}, "0.1.0"};
}

// A run of the suite "quick" on this day of January, with these cells.
inline RunLine run_of_day(int day, std::vector<RunCell> cells) {
  const std::string date = std::to_string(10 + day);
  RunLine out{"202601" + date + "T120000Z-a",  "report.html", "PASS", "", "pass", "quick", "",
              "2026-01-" + date + "T12:00:00Z"};
  out.cells = std::move(cells);
  return out;
}

// Six runs of four cells: ip_lease/pause broke in the fifth, ip_lease/none changes back and forth.
inline RunsPageInput runs_with_trends() {
  RunsPageInput out{"runs", {}, "0.1.0"};
  for (int day = 1; day <= 6; ++day) {
    const Outcome pause = day < 5 ? Outcome::as_expected : Outcome::unexpected;
    const Outcome none = day % 2 == 1 ? Outcome::as_expected : Outcome::unexpected;
    const Outcome skew = day < 6 ? Outcome::as_expected : Outcome::undecided;
    const char* seen = day < 5 ? "" : "mutual_exclusion violated:overrun";
    out.runs.push_back(run_of_day(day, {{"quick", "ip_lease", "pause", pause, seen},
                                        {"quick", "ip_lease", "none", none, ""},
                                        {"quick", "ip_lease", "skew", skew, ""},
                                        {"quick", "get_lock", "none", Outcome::as_expected, ""}}));
  }
  return out;
}

}  // namespace holdfast::made_up
