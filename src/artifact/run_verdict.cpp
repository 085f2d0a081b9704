#include "artifact/run_verdict.hpp"

#include <algorithm>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "artifact/verdict.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<Outcome> kOutcomes({"as_expected", "allowed", "caught", "unavailable", "not_run", "nothing_judged",
                                        "undecided", "harness_error", "missed", "unexpected"});
constexpr EnumWords<CauseState> kCauseStates({"confirmed", "unconfirmed", "open"});

TrialVerdict without_timeline(const TrialResult& trial) {
  TrialVerdict out = trial.verdict;
  out.timeline = {};
  return out;
}

JsonField<RunVerdict> exit_code_field() {
  auto out = field("exit_code", &RunVerdict::exit_code, {0, 255},
                   "0 as expected, 1 not as expected, 3 undecided, not exercised, not judged or not run, 4 cannot "
                   "run on this machine, 5 harness error, 130 interrupted");
  out.schema = {{"enum",
                 {kExitAsExpected, kExitNotAsExpected, kExitUsage, kExitUndecided, kExitUnavailable, kExitHarness,
                  kExitInterrupted}}};
  return out;
}

bool has_baseline(const RunVerdict& run) {
  return !run.baseline.empty();
}

}  // namespace

const char* to_text(Outcome outcome) {
  return kOutcomes[outcome];
}

bool from_text(const std::string& word, Outcome& out) {
  return kOutcomes.read(word, out);
}

const char* to_text(CauseState state) {
  return kCauseStates[state];
}

bool from_text(const std::string& word, CauseState& out) {
  return kCauseStates.read(word, out);
}

std::string confirmation_text(const CauseFinding& cause) {
  const std::string counts = std::to_string(cause.held) + " of " + std::to_string(cause.judged);
  if (cause.state == CauseState::confirmed) return "confirmed, " + counts;
  return "unconfirmed, " + (cause.judged == 0 ? "no control could be judged" : counts);
}

std::string measured_text(const FaultProof& proof) {
  if (!proof.struck.any()) return proof.detail;
  return proof.detail + (proof.detail.empty() ? "" : "; ") + "acquires struck: " + struck_text(proof.struck);
}

bool is_mismatch(const TrialResult& trial, const std::string& property) {
  return std::any_of(trial.mismatches.begin(), trial.mismatches.end(),
                     [&](const Mismatch& mismatch) { return mismatch.property == property; });
}

const JsonForm<Mismatch>& Mismatch::form() {
  static const JsonForm<Mismatch> kForm{
      "mismatch",
      "",
      {field("property", &Mismatch::property), field("expected", &Mismatch::expected), field("seen", &Mismatch::seen)}};
  return kForm;
}

const JsonForm<FaultProof>& FaultProof::form() {
  static const JsonForm<FaultProof> kForm{
      "proof",
      "number of measurements that showed a fault in force",
      {field("fault", &FaultProof::fault), field("acted", &FaultProof::acted), field("planned", &FaultProof::planned),
       field("detail", &FaultProof::detail),
       field("unavailable", &FaultProof::unavailable, "the reason why this machine does not support it; else empty"),
       unless_default(field("struck", &FaultProof::struck)),
       unless_default(field("holders", &FaultProof::holders, kAboutHolders))}};
  return kForm;
}

const JsonForm<ControlResult>& ControlResult::form() {
  static const JsonForm<ControlResult> kForm{
      "control",
      "the same plan without the flaw, which must hold",
      {field("lock", &ControlResult::lock), field("removes", &ControlResult::removes),
       field("folder", &ControlResult::folder), field("held", &ControlResult::held),
       field("seen", &ControlResult::seen)}};
  return kForm;
}

const JsonForm<CauseFinding>& CauseFinding::form() {
  static const JsonForm<CauseFinding> kForm{
      "cause",
      "result of the controls of one kind of violation: the same plan without the suspected faults, or without any "
      "fault if the kind is not caused by one",
      {field("property", &CauseFinding::property), field("kind", &CauseFinding::kind),
       field("of_fault", &CauseFinding::of_fault,
             "true: these faults cause this kind; false: no fault causes it, and the controls show whether the "
             "finding needs the faults at all"),
       field("faults", &CauseFinding::faults, "faults left out of the controls"),
       field("state", &CauseFinding::state,
             "confirmed: five controls of five held; unconfirmed: one showed the same; open: too few could be judged"),
       field("held", &CauseFinding::held), field("judged", &CauseFinding::judged),
       field("note", &CauseFinding::note, "the reason why fewer than five were judged; else empty"),
       field("folders", &CauseFinding::folders, "folders of the controls, relative to the run's folder")}};
  return kForm;
}

const JsonForm<TrialResult>& TrialResult::form() {
  static const JsonForm<TrialResult> kForm{
      "result",
      "one trial compared with its expected result",
      {field("number", &TrialResult::number), digits_field("seed", &TrialResult::seed),
       field("folder", &TrialResult::folder, "relative to the run's folder"), field("outcome", &TrialResult::outcome),
       field("error", &TrialResult::error, "the reason for harness_error or unavailable"),
       field("mismatches", &TrialResult::mismatches),
       written_as(
           field("verdict", &TrialResult::verdict, "without its timeline, which only the trial's own verdict.json has"),
           without_timeline),
       field("faults", &TrialResult::faults), field("control", &TrialResult::control),
       field("causes", &TrialResult::causes), field("seconds", &TrialResult::seconds),
       field("cpu_seconds", &TrialResult::cpu_seconds),
       unless_default(field("time", &TrialResult::time, "missing: real")),
       unless_default(field("time_doubt", &TrialResult::time_doubt, "the reason why it was repeated in real time"))}};
  return kForm;
}

const JsonForm<Cell>& Cell::form() {
  static const JsonForm<Cell> kForm{
      "cell",
      "one lock under one scenario",
      {field("lock", &Cell::lock), field("scenario", &Cell::scenario),
       field("suite", &Cell::suite, "folder of its scenario"), field("outcome", &Cell::outcome),
       field("trials_as_expected", &Cell::trials_as_expected),
       written_as(
           field("planned", &Cell::planned,
                 "number of trials requested; if `trials` has fewer, the others were not run, and the cell is not as "
                 "expected"),
           &Cell::trials_planned),
       field("expected", &Cell::expected,
             "property -> expectation of the scenario, with the additions from `assumes` in the lock's manifest"),
       unless_default(field("about", &Cell::about, "what the scenario does, in its own words")),
       field("why", &Cell::why),
       unless_default(field("until_decided", &Cell::until_decided,
                            "only if true: repeated until a trial was violated; earlier trials without an expected "
                            "violation then do not count against it")),
       field("trials", &Cell::trials)}};
  return kForm;
}

const JsonForm<NotTried>& NotTried::form() {
  static const JsonForm<NotTried> kForm{
      "not_tried",
      "",
      {field("lock", &NotTried::lock), field("what", &NotTried::what), field("why", &NotTried::why),
       unless_default(field("faults", &NotTried::faults,
                            "for a cell that showed nothing new: the faults that acted all the same")),
       unless_default(field("not_needed", &NotTried::not_needed,
                            "it does not apply to the lock, or is the same as another scenario"))}};
  return kForm;
}

const JsonForm<RunChange>& RunChange::form() {
  static const JsonForm<RunChange> kForm{
      "change",
      "a property of a cell compared with the baseline: in how many of the judged trials it was not as expected",
      {field("lock", &RunChange::lock), field("scenario", &RunChange::scenario),
       field("property", &RunChange::property, "or `control`: the paired control of a caught flaw"),
       field("change", &RunChange::change), field("not_as_expected_before", &RunChange::bad_before),
       field("judged_before", &RunChange::judged_before), field("not_as_expected", &RunChange::bad),
       field("judged", &RunChange::judged), field("why", &RunChange::why)}};
  return kForm;
}

const JsonForm<GradeRecord>& GradeRecord::form() {
  static const JsonForm<GradeRecord> kForm{
      "grade",
      "a lock's grade",
      {field("lock", &GradeRecord::lock),
       one_of(field("grade", &GradeRecord::grade), {"safe", "as_safe_as_a_lease", "broken", "not_known"}),
       field("reason", &GradeRecord::reason, "in whole sentences"),
       field("missing", &GradeRecord::missing, "what a better grade needs")}};
  return kForm;
}

const JsonForm<AssertionRecord>& AssertionRecord::form() {
  static const JsonForm<AssertionRecord> kForm{
      "asserted",
      "evaluations of one assertion by all trials of a lock",
      {field("lock", &AssertionRecord::lock), field("assertion", &AssertionRecord::count),
       field("reached", &AssertionRecord::reached,
             "`always` was evaluated, `sometimes` was true, or the place was reached; false: not tested, and no "
             "pass")}};
  return kForm;
}

const JsonForm<RunVerdict>& RunVerdict::form() {
  static const JsonForm<RunVerdict> kForm{
      "run",
      "",
      {form_version<RunVerdict>("holdfast_run", kRunVersion),
       field("version", &RunVerdict::version, "of holdfast"),
       field("started_utc", &RunVerdict::started_utc, "2026-01-31T12:00:00Z; empty where it is not known"),
       field("suite", &RunVerdict::suite, "folders of the scenarios"),
       field("server", &RunVerdict::server, "all servers used, with their versions; empty if no server was started"),
       field("command", &RunVerdict::command, "command that runs it again"),
       digits_field("seed", &RunVerdict::seed),
       digits_field("seeds", &RunVerdict::seeds, "in a run with several seeds: one repetition of each"),
       field("seconds", &RunVerdict::seconds),
       field("stalls", &RunVerdict::stalls, "number of stalls of the machine during trials"),
       field("interrupted", &RunVerdict::interrupted),
       field("stopped", &RunVerdict::stopped, "the reason why trials were not run; empty: all were run"),
       unless_default(field("shard", &RunVerdict::shard,
                            "only for a shard: 2/4 is the second of four; the cells of the other shards are not "
                            "listed")),
       unless_default(field("not_again", &RunVerdict::not_again,
                            "only for a replay whose violation was not reproduced in every trial: number of "
                            "reproductions")),
       unless_default(
           field("notes", &RunVerdict::notes,
                 "caveats from adapters' manifests, reported with every result, such as that a server is a stand-in")),
       unless_default(
           field("rule", &RunVerdict::rule,
                 "only with --until-caught or --confidence: how long cells were repeated, and what follows from it")),
       unless_default(
           field("baseline", &RunVerdict::baseline, "only with --baseline: the file that the run was compared with")),
       only_if(has_baseline, field("changes", &RunVerdict::changes,
                                   "only with --baseline: changes since then; equal results are left out")),
       unless_default(
           field("within", &RunVerdict::within, "only for a search (holdfast explore): the bounds of its results")),
       exit_code_field(),
       field("sentence", &RunVerdict::sentence),
       unless_default(field("strict", &RunVerdict::strict, "only if true: lapses of leases count as broken")),
       unless_default(field("leases_without_tokens", &RunVerdict::leases_without_tokens,
                            "locks with a lease that no fencing token protects")),
       unless_default(
           field("grades", &RunVerdict::grades, "grades of the locks that are judged by their promises only")),
       unless_default(field("assertions", &RunVerdict::assertions, "assertions of the locks' authors")),
       field("locks", &RunVerdict::locks, "rows of the matrix"),
       field("scenarios", &RunVerdict::scenarios, "columns of the matrix"),
       field("cells", &RunVerdict::cells),
       field("faults", &RunVerdict::faults, "summed over the run"),
       field("not_tried", &RunVerdict::not_tried, "cells that a generated suite left out, with the reason")}};
  return kForm;
}

bool has_unreached(const RunVerdict& run) {
  return std::any_of(run.assertions.begin(), run.assertions.end(),
                     [](const AssertionRecord& one) { return !one.reached; });
}

}  // namespace holdfast
