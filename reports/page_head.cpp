#include "reports/page_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/assertion_text.hpp"
#include "reports/cell_section.hpp"
#include "reports/durations.hpp"
#include "reports/lock_answer.hpp"
#include "reports/narration.hpp"
#include "reports/page_frame.hpp"
#include "reports/rerun.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

// As in the terminal.
constexpr const char* kFlaw = "Flaw: ";
constexpr const char* kLikely = "Likely: ";

// The first line.
struct HeadLine {
  std::string glyph;
  std::string word;
  std::string claim;
  std::string tone;
};

const char* glyph_of_word(const std::string& word) {
  if (word == "PASS") return "✓";
  return word == "FAIL" ? "✗" : word == "INTERRUPTED" ? "■" : "?";
}

HeadLine line_of_grade(const RunAssessment& found, const LockAssessment& lock) {
  const Grade grade = lock.grade.grade;
  const std::string word = grade_words(grade);
  HeadLine out{"✓", capitalised(word), lock.lock + headline_text(found).substr(word.size()), "pass"};
  if (grade == Grade::broken) out.glyph = "✗", out.tone = "fail";
  if (grade == Grade::not_known) out.glyph = "?", out.tone = "open";
  return out;
}

// A search of one lock with a find, which says more than "1 of 1 lock violated".
bool is_one_search(const RunAssessment& found) {
  return found.run.suite == kExplored && found.run.locks.size() == 1 && found.severest.witness != nullptr &&
         sentence_parts(found).word == "FAIL";
}

HeadLine head_line(const RunAssessment& found) {
  if (const LockAssessment* const lock = found.graded()) return line_of_grade(found, *lock);
  const Sentence parts = sentence_parts(found);
  HeadLine out{glyph_of_word(parts.word), parts.word, parts.plain_claim, parts.tone};
  const Finding& find = found.severest;
  if (is_one_search(found)) out.claim = find.cell->lock + ": " + short_text(*find.witness);
  return out;
}

// The locks, scenarios and cells, and the start.
std::string tried_text(const RunAssessment& found) {
  const RunVerdict& run = found.run;
  const auto some = [](const std::vector<std::string>& names, const char* one, const char* many) {
    return names.size() == 1 ? names.front() : plural(static_cast<std::int64_t>(names.size()), one, many);
  };
  std::string out = found.graded() != nullptr ? found.graded()->lock : some(run.locks, "lock", "locks");
  if (run.suite != kExplored) {
    out += " · " + some(run.scenarios, "scenario", "scenarios");
    out += " · " + plural(found.counts.cells(), "cell", "cells") + " (one lock under one scenario each)";
  }
  if (!run.suite.empty()) out += " · suite " + run.suite;
  if (!run.started_utc.empty()) out += " · started " + run.started_utc;
  return out;
}

// Open cells are no reason to doubt a lock's grade, which counts them.
bool is_wrong(const RunAssessment& found) {
  const Cell* const cell = found.severest.cell;
  const LockAssessment* const lock = found.graded();
  const bool open =
      cell != nullptr && (cell->outcome == Outcome::undecided || cell->outcome == Outcome::nothing_judged);
  if (lock != nullptr && lock->grade.grade != Grade::broken && open) return false;
  return cell != nullptr && (cell->outcome == Outcome::allowed || cell->outcome > Outcome::unavailable);
}

// The flaws that were expected, and the damage that they did: a pass and damaged data need a sentence between them.
std::string caught_text(const RunAssessment& found) {
  const std::int64_t caught = found.counts.of(Outcome::caught);
  if (caught == 0 || found.run.suite == kExplored) return "";
  const auto damaged = std::count_if(found.cells.begin(), found.cells.end(), [](const CellAssessment& one) {
    return one.cell->outcome == Outcome::caught && one.severity == Severity::data_damaged;
  });
  const std::string flaws = plural(caught, "known flaw was", "known flaws were") + " caught, as expected";
  if (damaged == 0) return flaws + "; the data was not damaged.";
  const std::string who = caught == 1 ? "it" : damaged == caught ? "they" : fmt::format("{} of them", damaged);
  return flaws + "; " + who + " damaged the data of " + (damaged == 1 ? "its trial." : "their trials.");
}

// The first sentence stands out; the others say more of it.
void write_reason(const std::string& reason, HtmlWriter& out) {
  const auto end = reason.find(". ");
  out.element("p", {{"class", "lead"}}, reason.substr(0, end == std::string::npos ? end : end + 1));
  if (end != std::string::npos) out.element("p", {{"class", "todo"}}, reason.substr(end + 2));
}

void write_violation(const RunAssessment& found, HtmlWriter& out) {
  if (!is_wrong(found)) return;
  const bool allowed = found.severest.cell->outcome == Outcome::allowed;
  const auto lead = out.tag("p", {{"class", allowed ? "example" : "lead"}});
  if (allowed) out.text("Example: ");
  const bool told = is_one_search(found);  // by the first line
  out.element("a", {{"href", "#finding"}},
              told ? "The schedule that shows it, step by step" : short_headline(found.severest));
}

// Writes the results of the lock, or of each lock, over all cells.
void write_answers(const RunAssessment& found, HtmlWriter& out) {
  if (const LockAssessment* const lock = found.graded()) return write_reason(capitalised(grade_reason(*lock)), out);
  for (const auto& answer : lock_answers(found)) out.element("p", {{"class", "lead"}}, answer);
  if (const std::string answer = answer_of(found); !answer.empty()) out.element("p", {{"class", "lead"}}, answer);
}

// Advice with the label that says how sure it is.
struct Advice {
  const char* label = "Remedy: ";
  std::string text;
};

// The next step after a grade that names no violation.
std::string next_step(const LockAssessment& lock) {
  switch (lock.grade.grade) {
    case Grade::safe:
      return "nothing: the lock kept its promises under every fault that struck it.";
    case Grade::lease:
      return lock.fenced ? "let every resource refuse older fencing tokens; where it does, the data stays safe."
                         : "nothing, if a second holder only repeats some work. If it can damage data, use a lock with "
                           "fencing tokens, such as fenced_lease, and let the resource refuse older ones: this lock "
                           "gives none.";
    case Grade::not_known:
      return "see above what a better grade needs; with more time (--for) more cells run.";
    case Grade::broken:
      break;
  }
  return "";
}

// The finding about the severest result, with what all cells and the search show; null: none.
const LockFinding* finding_in_head(const RunAssessment& found) {
  for (const LockFinding& one : found.findings) {
    const bool severest = std::find(one.cases.begin(), one.cases.end(), found.severest.cell) != one.cases.end();
    if (severest && one.promised && !one.flaw.empty()) return &one;
  }
  return nullptr;
}

// About the severest result, or why there is nothing to do.
Advice advice_in_head(const PageInput& in) {
  const RunAssessment& found = in.found;
  if (!is_wrong(found)) {
    const bool nothing = sentence_parts(found).word == "PASS" && found.graded() == nullptr;
    return {"Remedy: ", nothing ? "none needed; every cell ended as expected." : ""};
  }
  const Narration told = narrate(found.severest, nullptr);
  const ExploredFind* const explored = explored_find(in, found.severest);
  if (explored != nullptr && !explored->flaw.empty()) return {kFlaw, explored->flaw};
  const std::string cause = explored == nullptr || explored->cause.empty() ? "" : " Here: " + explored->cause + ".";
  if (const LockFinding* const one = finding_in_head(found)) {
    const std::string proved = one->schedule ? " Proved by explore: " + one->schedule->cause + "." : "";
    return {one->flaw_is_known() ? kFlaw : kLikely, one->flaw + proved};
  }
  if (!told.remedy.empty()) return {"Remedy: ", told.remedy + cause};
  const bool allowed = found.graded() != nullptr && found.severest.cell->outcome == Outcome::allowed;
  return {allowed ? "Why: " : kLikely, told.suggestion + cause};
}

void write_advice(const Advice& advice, HtmlWriter& out) {
  if (advice.text.empty()) return;
  const auto line = out.tag("p", {{"class", "todo"}});
  out.element("strong", {}, advice.label);
  out.text(advice.text);
}

void write_remedy(const PageInput& in, HtmlWriter& out) {
  const RunAssessment& found = in.found;
  write_advice(advice_in_head(in), out);
  if (!is_wrong(found) || found.severest.cell->outcome == Outcome::allowed) return;
  const ExploredFind* const explored = explored_find(in, found.severest);
  out.element("p", {{"class", "label"}}, "Rerun it");
  out.element("pre", {{"class", "command"}},
              explored != nullptr ? explored->replay : rerun_command(found.run, *found.severest.cell));
}

// The budget and the machine.
void write_limits(const RunAssessment& found, HtmlWriter& out) {
  const Sentence parts = sentence_parts(found);
  if (found.graded() != nullptr) {
    out.element("p", {{"class", "circumstances"}}, "Results: " + parts.plain_claim + ".");
  }
  if (!parts.limits.empty()) out.element("p", {{"class", "circumstances"}}, capitalised(parts.limits) + ".");
  std::string line = parts.circumstances;
  if (!found.run.version.empty()) line += " · holdfast " + found.run.version;
  out.element("p", {{"class", "circumstances"}}, line);
}

}  // namespace

std::string head_title(const RunAssessment& found) {
  const HeadLine line = head_line(found);
  return line.word + " " + line.claim;
}

void write_page_head(const PageInput& in, HtmlWriter& out) {
  const RunAssessment& found = in.found;
  const HeadLine line = head_line(found);
  const auto header = out.tag("header", {{"class", "head" + (line.tone.empty() ? "" : " " + line.tone)}});
  write_verdict_line(line.glyph + " " + line.word, line.claim, line.tone, out);
  out.element("p", {{"class", "tried"}}, tried_text(found));
  const LockAssessment* const lock = found.graded();
  const bool violation_first = lock != nullptr && lock->grade.grade == Grade::broken && is_wrong(found);
  if (!violation_first) write_answers(found, out);
  if (lock != nullptr) write_advice({"Next: ", next_step(*lock)}, out);
  write_violation(found, out);
  const std::string caught = caught_text(found);
  if (is_wrong(found)) write_remedy(in, out);
  if (violation_first) write_answers(found, out);
  if (!caught.empty()) out.element("p", {{"class", "caught-flaws"}}, caught);
  if (!is_wrong(found)) write_remedy(in, out);
  for (const auto& answer : data_answers(found)) out.element("p", {{"class", "damage"}}, answer);
  for (const auto& answer : assertion_answers(found.run)) out.element("p", {{"class", "asserted"}}, answer);
  if (found.run.interrupted) {
    out.element(
        "p", {{"class", "notice"}},
        "This run was interrupted. The page shows the results up to that point; cells marked … are incomplete.");
  }
  write_limits(found, out);
}

}  // namespace holdfast
