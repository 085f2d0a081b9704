// junit.xml, as GitLab, Jenkins and the actions for GitHub read it: a suite of scenarios is a <testsuite>, a cell a
// <testcase classname="SUITE.LOCK" name="SCENARIO">. The whole story is in the body, since the attributes are cut off.
//
//   as expected, or caught as expected   passed; a caught flaw, a violation that is allowed, and the bounds of a search
//                                        are in <system-out>
//   unexpected, missed                   <failure>; <skipped> if the baseline has it, too, and <error> if
//                                        that is unknown
//   harness error                        <error>: nothing is known about the lock
//   undecided, not exercised, not run,
//   nothing judged                       <error>: a reader that counts skipped tests as fine must not show it green
//   a replay whose violation did not
//   come again                           <error>, likewise
//   the grade of a lock                  a test case "grade" of its own: <failure> if it is broken, <error> if it is
//                                        unknown; passed if the lock is safe, or as safe as a lease can be
//   the assertions of a lock's author    a test case "assertions_reached" of its own: <error> if one was never reached
//   unavailable                          <skipped> while others could run; <error> if none could (exit code 4)
#include <fmt/format.h>

#include <algorithm>

#include "artifact/error.hpp"
#include "reports/assertion_text.hpp"
#include "reports/cell_section.hpp"
#include "reports/format.hpp"
#include "reports/html.hpp"
#include "reports/lock_answer.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/run_changes.hpp"
#include "reports/sentence.hpp"
#include "reports/shortened.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostInAttribute = 500;

const char* ending_of_wrong(Novelty novelty) {
  if (novelty == Novelty::known) return "skipped";
  return novelty == Novelty::unknown ? "error" : "failure";
}

// The element beside a test case that says how it ended; nothing for one that passed.
const char* ending(const CellAssessment& one, const RunVerdict& run) {
  switch (one.cell->outcome) {
    case Outcome::as_expected:
    case Outcome::allowed:
    case Outcome::caught:
      return run.not_again.empty() ? "" : "error";
    case Outcome::unavailable:
      return run.exit_code == kExitUnavailable ? "error" : "skipped";
    case Outcome::missed:
    case Outcome::unexpected:
      return ending_of_wrong(one.novelty);
    case Outcome::not_run:
    case Outcome::nothing_judged:
    case Outcome::undecided:
    case Outcome::harness_error:
      break;
  }
  return "error";
}

std::string suite_of(const Cell& cell, const RunVerdict& run) {
  return cell.suite.empty() ? run.suite : cell.suite;
}

// Never empty: an attribute that is left out is a breach of the format.
std::string attribute(const std::string& text) {
  return text.empty() ? "-" : shortened(text, kMostInAttribute);
}

std::string seconds_text(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

double seconds_of(const Cell& cell) {
  double all = 0;
  for (const auto& trial : cell.trials) all += trial.seconds;
  return all;
}

// The comparison with the baseline, to precede the headline; empty without one.
std::string before_headline(const RunVerdict& run, const CellAssessment& one) {
  if (!run.not_again.empty()) return run.not_again + "; ";
  const Outcome outcome = one.cell->outcome;
  if (run.baseline.empty() || (outcome != Outcome::missed && outcome != Outcome::unexpected)) return "";
  switch (one.novelty) {
    case Novelty::news:
      return "new since the baseline: ";
    case Novelty::known:
      return "known, as in the baseline: ";
    case Novelty::unknown:
      break;
  }
  return "";
}

// The violation, and the command that shows it again: one fact a line, whatever a name in it holds.
TerminalText story_of(const FormatInput& in, const CellAssessment& one) {
  const RunVerdict& run = in.page.found.run;
  const Cell& cell = *one.cell;
  const Finding& found = one.told;
  const Narration told = narrate(found, timeline_of(in.page, found));
  TerminalText out = terminal_text("{}{}\n", before_headline(run, one), told.headline);
  for (const auto& line : change_lines(run, cell)) out += terminal_text("{}: {}\n", line.word, line.text);
  if (!repeated_text(cell).empty()) out += terminal_text("{} trials as expected\n", repeated_text(cell));
  for (const auto& fact : told.facts) out += terminal_text("{}\n", fact.text);
  if (!told.proven.empty()) out += terminal_text("Proven: {}.\n", told.proven);
  if (!told.suggestion.empty()) out += terminal_text("{}: {}\n", told.label, told.suggestion);
  for (const auto& line : told.controls) out += terminal_text("Controls: {}\n", line);
  if (!told.remedy.empty()) out += terminal_text("Remedy: {}\n", told.remedy);
  if (is_explored(cell)) out += terminal_text("Searched: {}\n", cell.why);
  if (found.trial != nullptr && !found.trial->folder.empty()) out += terminal_text("files: {}\n", found.trial->folder);
  out += terminal_text("rerun: {}\n", rerun_command(run, cell));
  return out;
}

void write_case(const FormatInput& in, const CellAssessment& of, HtmlWriter& out) {
  const RunVerdict& run = in.page.found.run;
  const Cell& cell = *of.cell;
  out.literal("\n");
  const auto one = out.tag("testcase", {{"classname", attribute(suite_of(cell, run) + "." + cell.lock)},
                                        {"name", attribute(cell.scenario)},
                                        {"time", seconds_text(seconds_of(cell))}});
  const std::string end = ending(of, run);
  const std::string message = attribute(before_headline(run, of) + headline(of.told));
  if (end == "skipped") out.empty("skipped", {{"message", message}});
  if (end == "failure" || end == "error") {
    out.element(end == "error" ? Literal("error") : Literal("failure"),
                {{"message", message}, {"type", to_text(cell.outcome)}}, story_of(in, of).text());
  }
  if (end.empty() && cell.outcome == Outcome::as_expected && is_explored(cell)) {
    out.element("system-out", {}, terminal_text("Searched: {}\n", cell.why).text());
  }
  if (end.empty() && (cell.outcome == Outcome::caught || cell.outcome == Outcome::allowed)) {
    out.element("system-out", {}, terminal_text("{}\n{}", words_of(cell.outcome).meaning, story_of(in, of)).text());
  }
}

const char* ending_of_grade(Grade grade) {
  if (grade == Grade::broken) return "failure";
  return grade == Grade::not_known ? "error" : "";
}

// Locks that have a test case of their grade: against a baseline it would be reported as new each time.
std::vector<const LockAssessment*> graded_in(const RunAssessment& found, const std::string& suite) {
  std::vector<const LockAssessment*> out;
  for (const auto& lock : found.locks) {
    const bool here = suite_of(*lock.cells.front()->cell, found.run) == suite;
    if (lock.by_promises && here && found.run.baseline.empty()) out.push_back(&lock);
  }
  return out;
}

void write_grade(const RunVerdict& run, const std::string& suite, const LockAssessment& lock, HtmlWriter& out) {
  out.literal("\n");
  const auto one = out.tag(
      "testcase", {{"classname", attribute(suite + "." + lock.lock)}, {"name", "grade"}, {"time", seconds_text(0)}});
  const std::string words = lock.lock + " is " + grade_words(lock.grade.grade);
  const std::string text = terminal_text("{}: {}\nrerun: {}\n", words, grade_reason(lock), run.command).text();
  const std::string_view end = ending_of_grade(lock.grade.grade);
  if (end.empty()) return out.element("system-out", {}, text);
  out.element(end == "error" ? Literal("error") : Literal("failure"),
              {{"message", attribute(words)}, {"type", to_text(lock.grade.grade)}}, text);
}

// Locks with assertions whose first cell is in the suite.
std::vector<std::string> asserting_in(const RunAssessment& found, const std::string& suite) {
  std::vector<std::string> out;
  for (const auto& lock : asserting_locks(found.run)) {
    const auto first = std::find_if(found.cells.begin(), found.cells.end(),
                                    [&lock](const CellAssessment& one) { return lock_name(one.cell->lock) == lock; });
    if (first != found.cells.end() && suite_of(*first->cell, found.run) == suite) out.push_back(lock);
  }
  return out;
}

const char* ending_of_assertions(const RunVerdict& run, const std::string& lock) {
  return unreached_of(run, lock).empty() ? "" : "error";
}

void write_asserted(const RunVerdict& run, const std::string& suite, const std::string& lock, HtmlWriter& out) {
  out.literal("\n");
  const auto one = out.tag(
      "testcase",
      {{"classname", attribute(suite + "." + lock)}, {"name", "assertions_reached"}, {"time", seconds_text(0)}});
  const std::string answer = assertion_answer(run, lock);
  const std::string text = terminal_text("{}\nrerun: {}\n", answer, run.command).text();
  if (*ending_of_assertions(run, lock) == '\0') return out.element("system-out", {}, text);
  out.element("error", {{"message", attribute(answer)}, {"type", "never_reached"}}, text);
}

struct JunitCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(std::string_view end) {
    ++tests;
    failures += end == "failure" ? 1 : 0;
    errors += end == "error" ? 1 : 0;
    skipped += end == "skipped" ? 1 : 0;
  }
  void add(const RunAssessment& found, const std::string& suite) {
    for (const auto& one : found.cells) {
      if (suite_of(*one.cell, found.run) != suite) continue;
      add(ending(one, found.run));
      seconds += seconds_of(*one.cell);
    }
    for (const LockAssessment* lock : graded_in(found, suite)) add(ending_of_grade(lock->grade.grade));
    for (const auto& lock : asserting_in(found, suite)) add(ending_of_assertions(found.run, lock));
  }
};

void write_properties(const RunAssessment& found, HtmlWriter& out) {
  const RunVerdict& run = found.run;
  const auto list = out.tag("properties");
  const auto property = [&out](const char* name, const std::string& value) {
    out.empty("property", {{"name", name}, {"value", attribute(value)}});
  };
  property("holdfast", run.version);
  property("verdict", run_sentence(found));
  for (const auto& answer : lock_answers(found)) property("answer", answer);
  for (const auto& grade : grade_records(found)) property("grade", grade.lock + ": " + grade.grade);
  property("server", run.server);
  property("seed", std::to_string(run.seed));
  property("exit_code", std::to_string(run.exit_code));
  property("rerun", run.command);
  for (const auto& note : run.notes) property("note", note);
}

void write_suite(const FormatInput& in, const std::string& suite, HtmlWriter& out) {
  const RunAssessment& found = in.page.found;
  const RunVerdict& run = found.run;
  JunitCounts n;
  n.add(found, suite);
  const auto tag = out.tag("testsuite", {{"name", attribute(suite)},
                                         {"tests", std::to_string(n.tests)},
                                         {"failures", std::to_string(n.failures)},
                                         {"errors", std::to_string(n.errors)},
                                         {"skipped", std::to_string(n.skipped)},
                                         {"time", seconds_text(n.seconds)},
                                         {"timestamp", run.started_utc.empty() ? "" : attribute(run.started_utc)}});
  write_properties(found, out);
  for (const auto& one : found.cells) {
    if (suite_of(*one.cell, run) == suite) write_case(in, one, out);
  }
  for (const LockAssessment* lock : graded_in(found, suite)) write_grade(run, suite, *lock, out);
  for (const auto& lock : asserting_in(found, suite)) write_asserted(run, suite, lock, out);
}

std::string junit_of_run(const FormatInput& in) {
  const RunVerdict& run = in.page.found.run;
  HtmlWriter out;
  out.literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  JunitCounts n;
  std::vector<std::string> suites;
  for (const auto& one : in.page.found.cells) {
    const std::string suite = suite_of(*one.cell, run);
    if (std::find(suites.begin(), suites.end(), suite) == suites.end()) suites.push_back(suite);
  }
  for (const auto& suite : suites) n.add(in.page.found, suite);
  {
    // Jenkins' xUnit plugin refuses a file whose total counts the skipped tests.
    const auto all = out.tag("testsuites", {{"name", "holdfast"},
                                            {"tests", std::to_string(n.tests)},
                                            {"failures", std::to_string(n.failures)},
                                            {"errors", std::to_string(n.errors)},
                                            {"time", seconds_text(run.seconds)}});
    for (const auto& suite : suites) write_suite(in, suite, out);
  }
  return std::move(out).take().text() + "\n";
}

}  // namespace

extern const FormatType format_junit;
const FormatType format_junit{.about = "JUnit XML, for build servers", .file = "junit.xml", .of_run = junit_of_run};

}  // namespace holdfast
