#include "reports/history_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/property_words.hpp"
#include "reports/cell_section.hpp"
#include "reports/durations.hpp"
#include "reports/figure.hpp"
#include "reports/glossary.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/page.hpp"
#include "reports/page_frame.hpp"
#include "reports/page_scripts.hpp"

namespace holdfast {
namespace {

constexpr const char* kEvents = "history";  // the name of its block of events

bool nothing_judged(const TrialVerdict& verdict) {
  return std::all_of(verdict.properties.begin(), verdict.properties.end(), [](const PropertyVerdict& p) {
    return p.judgement == Judgement::not_applicable || p.judgement == Judgement::not_exercised;
  });
}

Outcome outcome_of_history(const TrialVerdict& verdict) {
  if (verdict.judgement == Judgement::violated) return Outcome::unexpected;
  if (nothing_judged(verdict)) return Outcome::nothing_judged;
  return verdict.judgement == Judgement::holds ? Outcome::as_expected : Outcome::undecided;
}

// As the one cell of a run, which all parts of a page are made for.
RunVerdict as_run(const HistoryPageInput& in) {
  TrialResult trial;
  trial.folder = kEvents;
  trial.outcome = outcome_of_history(in.verdict);
  trial.verdict = in.verdict;
  trial.verdict.timeline = {};
  Cell cell;
  cell.lock = in.verdict.lock.empty() ? in.name : in.verdict.lock;
  cell.scenario = in.verdict.lock.empty() ? "" : in.verdict.scenario;
  cell.outcome = trial.outcome;
  cell.trials = {trial};
  RunVerdict out;
  out.cells = {cell};
  return out;
}

PageFiles files_of(const HistoryPageInput& in) {
  PageFiles out;
  out.trials[kEvents] = in.verdict;
  out.packed[kEvents] = in.packed;
  out.sent[kEvents] = in.sent;
  out.counts[kEvents] = in.counts;
  return out;
}

std::string properties_with(const TrialVerdict& verdict, Judgement judgement) {
  std::string out;
  for (const auto& property : verdict.properties) {
    if (property.judgement == judgement) out += (out.empty() ? "" : ", ") + spaced(property.property);
  }
  return out;
}

std::string claim_of_history(const HistoryPageInput& in) {
  const std::string judged = in.verdict.judgement == Judgement::violated
                                 ? properties_with(in.verdict, Judgement::violated)
                                 : properties_with(in.verdict, Judgement::holds);
  return judged.empty() ? in.name : judged + ": " + in.name;
}

void write_header(const HistoryPageInput& in, HtmlWriter& out) {
  const auto header = out.tag("header");
  const std::string word = word_of_history(in.verdict);
  const char* tone = word == "HOLDS" ? "pass" : word == "VIOLATED" ? "fail" : "open";
  const char* glyph = word == "HOLDS" ? "✓ " : word == "VIOLATED" ? "✗ " : "? ";
  write_verdict_line(glyph + word, claim_of_history(in), tone, out);
  const Measures& m = in.verdict.measures;
  std::string line = fmt::format("judged by model {} · {} · {}, {} refused, {} uncertain", in.verdict.model,
                                 plural(in.verdict.clients, "client", "clients"), plural(m.grants, "grant", "grants"),
                                 count_text(m.refusals), count_text(m.indeterminate));
  if (!in.version.empty()) line += " · holdfast " + in.version;
  out.element("p", {{"class", "circumstances"}}, line);
  for (const auto& what : in.verdict.not_judged) out.element("p", {{"class", "notice"}}, "Not judged: " + what);
}

void write_violation(const PageInput& page, HtmlWriter& out) {
  const Cell& cell = page.found.run.cells.front();
  const Finding& found = page.found.cells.front().told;
  const Timeline& timeline = page.trials.at(kEvents).timeline;
  const auto section = out.tag("section", {{"id", cell_anchor(cell)}, {"class", "finding"}});
  out.element("h2", {}, found.witness == nullptr ? "Timeline" : "The violation");
  if (found.witness != nullptr) out.element("h3", {}, headline(found));
  write_figure(found, timeline, true, out);
  if (found.witness != nullptr) {
    write_story(found, &timeline, page.sent, out);
    write_more_witnesses(found, out);
  }
  write_explorer(page, found, out);
}

}  // namespace

std::string word_of_history(const TrialVerdict& verdict) {
  switch (outcome_of_history(verdict)) {
    case Outcome::unexpected:
      return "VIOLATED";
    case Outcome::nothing_judged:
      return "NOTHING JUDGED";
    case Outcome::as_expected:
      return "HOLDS";
    case Outcome::undecided:
    case Outcome::allowed:
    case Outcome::caught:
    case Outcome::unavailable:
    case Outcome::not_run:
    case Outcome::harness_error:
    case Outcome::missed:
      break;
  }
  return "UNDECIDED";
}

std::string history_page(const HistoryPageInput& in) {
  const RunVerdict run = as_run(in);
  const RunAssessment found = assess(run);
  const PageInput page{files_of(in), found};
  return whole_page(
      {.title = word_of_history(in.verdict) + " " + in.name, .moves = true},
      [&](HtmlWriter& out) {
        write_header(in, out);
        write_violation(page, out);
        {
          const auto section = out.tag("section", {{"id", "properties"}});
          out.element("h2", {}, "Properties judged");
          write_property_table(run.cells.front(), out);
        }
        write_glossary(words_of_run(run), out);
        if (in.command.empty()) return;
        out.element("p", {{"class", "label"}}, "Recreate this page");
        out.element("pre", {{"class", "command"}}, in.command);
      },
      [&](HtmlWriter& out) { write_scripts(page, out); });
}

}  // namespace holdfast
