#include "reports/front.hpp"

#include <fmt/format.h>

#include "reports/cell_section.hpp"
#include "reports/figure.hpp"
#include "reports/finding.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

const char* verdict_glyph(const std::string& word) {
  if (word == "PASS") return "✓";
  return word == "FAIL" ? "✗" : word == "INTERRUPTED" ? "■" : "?";
}

std::string verdict_class(const std::string& word) {
  return word == "PASS" ? "verdict pass" : word == "FAIL" ? "verdict fail" : "verdict open";
}

// What broke, right below the sentence: a large matrix would push it off the first screen.
void write_lead(const RunVerdict& run, HtmlWriter& out) {
  const Finding found = severest_finding(run);
  if (found.cell == nullptr || found.cell->outcome <= Outcome::unavailable) return;
  const auto lead = out.tag("p", {{"class", "lead"}});
  out.element("a", {{"href", "#finding"}}, headline(found));
}

// Everything else that is not as expected, a line each.
void write_other_findings(const RunVerdict& run, const Cell* told, HtmlWriter& out) {
  const auto cells = not_as_expected(run);
  if (cells.empty() || (cells.size() == 1 && cells.front() == told)) return;
  out.element("h3", {}, "Also not as expected");
  const auto list = out.tag("ul", {{"class", "findings"}});
  for (const Cell* cell : cells) {
    if (cell == told) continue;
    const auto item = out.tag("li");
    write_outcome(cell->outcome, repeated_text(*cell), out);
    out.text(" ");
    out.element("a", {{"href", "#" + cell_anchor(*cell)}}, headline(finding_of(*cell)));
  }
}

}  // namespace

void write_sentence(const RunVerdict& run, HtmlWriter& out) {
  const Sentence parts = sentence_parts(run);
  const auto header = out.tag("header");
  {
    const auto h1 = out.tag("h1", {{"class", verdict_class(parts.word)}});
    out.element("span", {{"class", "word"}}, fmt::format("{} {}", verdict_glyph(parts.word), parts.word));
    out.element("span", {{"class", "claim"}}, " " + parts.claim);
  }
  write_lead(run, out);
  std::string line = parts.circumstances;
  if (!run.suite.empty()) line += " · suite " + run.suite;
  if (!run.started_utc.empty()) line += " · started " + run.started_utc;
  if (!run.version.empty()) line += " · holdfast " + run.version;
  out.element("p", {{"class", "circumstances"}}, line);
  if (run.interrupted) {
    out.element("p", {{"class", "notice"}},
                "This run was interrupted. What it had judged by then is here; cells with … did not run to their end.");
  }
}

void write_severest(const PageInput& in, HtmlWriter& out) {
  const Finding found = severest_finding(in.run);
  if (found.cell == nullptr) return;
  const auto section = out.tag("section", {{"id", "finding"}, {"class", "finding"}});
  const bool caught = found.cell->outcome == Outcome::caught;
  out.element("h2", {}, caught ? "A violation that was expected, and seen" : "What was not as expected");
  {
    const auto line = out.tag("h3");
    write_outcome(found.cell->outcome, repeated_text(*found.cell), out);
    out.text(" ");
    out.element("a", {{"href", "#" + cell_anchor(*found.cell)}}, headline(found));
  }
  const TrialVerdict* full = full_verdict(in.trials, found.trial);
  if (found.witness != nullptr && full != nullptr && !is_explored(*found.cell))
    write_figure(found, full->timeline, true, out);
  out.element("p", {{"class", "label"}}, "See it again");
  out.element("pre", {{"class", "command"}}, rerun_command(in.run, *found.cell));
  if (found.witness != nullptr) {
    write_story(found, full != nullptr ? &full->timeline : nullptr, out);
    write_instead(in, *found.cell, out);
  }
  write_other_findings(in.run, found.cell, out);
}

}  // namespace holdfast
