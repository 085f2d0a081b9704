#include "reports/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "reports/cell_section.hpp"
#include "reports/figure.hpp"
#include "reports/finding.hpp"
#include "reports/html.hpp"
#include "reports/lock_answer.hpp"
#include "reports/matrix.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/page_scripts.hpp"
#include "reports/rerun.hpp"
#include "reports/sentence.hpp"
#include "reports/severity.hpp"

namespace holdfast {
namespace {

void write_head(const RunVerdict& run, HtmlWriter& out) {
  const auto head = out.tag("head");
  out.empty("meta", {{"charset", "utf-8"}});
  out.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", page_policy()}});
  out.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  out.empty("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  const Sentence parts = sentence_parts(run);
  out.element("title", {}, parts.word + " " + parts.claim + " · holdfast");
  const auto style = out.tag("style");
  out.add(embedded_markup("page.css"));
}

void write_matrix_section(const RunVerdict& run, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "matrix"}});
  out.element("h2", {}, "Locks and scenarios");
  if (run.cells.empty()) {
    out.element("p", {{"class", "quiet"}}, "No cell was run.");
    return;
  }
  write_matrix_table(run, out);
}

void write_proofs(const RunVerdict& run, HtmlWriter& out) {
  if (run.faults.empty()) return;
  const auto section = out.tag("section", {{"id", "faults"}});
  out.element("h2", {}, "Faults proved");
  const auto scroll = out.tag("div", {{"class", "scroll"}});
  const auto table = out.tag("table", {{"class", "numbers proofs"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"fault", "measured in force", "what was measured"})
      out.element("th", {{"scope", "col"}}, name);
  }
  const auto body = out.tag("tbody");
  for (const auto& proof : run.faults) {
    const auto row = out.tag("tr", {{"class", proof.unavailable.empty() ? "" : "quiet"}});
    out.element("th", {{"scope", "row"}}, proof.fault);
    if (!proof.unavailable.empty()) {
      out.element("td", {}, "– unavailable here");
      out.element("td", {}, proof.unavailable);
      continue;
    }
    const bool all = proof.acted >= proof.planned;
    out.element("td", {{"class", all ? "" : "flag"}},
                fmt::format("{} {} of {}", all ? "✓" : "E", proof.acted, proof.planned));
    out.element("td", {}, proof.detail);
  }
}

void write_not_tried(const RunVerdict& run, HtmlWriter& out) {
  if (run.not_tried.empty()) return;
  const auto section = out.tag("section", {{"id", "not-tried"}});
  out.element("h2", {}, "Not tried");
  const auto list = out.tag("ul", {});
  for (const auto& one : left_out_by_reason(run)) out.element("li", {}, one.text());
}

void write_cells(const PageInput& in, HtmlWriter& out) {
  if (in.run.cells.empty()) return;
  const auto section = out.tag("section", {{"id", "cells"}});
  out.element("h2", {}, "Every cell");
  out.add(embedded_markup("signs.html"));
  for (const auto& cell : in.run.cells) write_cell_section(in, cell, out);
}

void write_environment(const PageInput& in, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "environment"}});
  out.element("h2", {}, "Environment");
  if (!in.run.command.empty()) {
    out.element("p", {{"class", "label"}}, "The whole run again");
    out.element("pre", {{"class", "command"}}, in.run.command);
  }
  if (in.environment.empty()) return;
  const auto table = out.tag("table", {{"class", "numbers environment"}});
  const auto body = out.tag("tbody");
  for (const auto& [name, value] : in.environment) {
    const auto row = out.tag("tr");
    out.element("th", {{"scope", "row"}}, name);
    out.element("td", {}, value);
  }
}

}  // namespace

std::string html_page(const PageInput& in) {
  HtmlWriter out;
  out.literal("<!DOCTYPE html>\n");
  {
    const auto html = out.tag("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
    write_head(in.run, out);
    const auto body = out.tag("body");
    out.add(embedded_markup("hatches.html"));
    {
      const auto main = out.tag("main");
      write_sentence(in.run, out);
      write_matrix_section(in.run, out);
      write_severest(in, out);
      write_proofs(in.run, out);
      write_not_tried(in.run, out);
      write_cells(in, out);
      write_environment(in, out);
    }
    write_scripts(in, out);
  }
  return std::move(out).take().text();
}

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
  if (const std::string answer = answer_of(run); !answer.empty()) out.element("p", {{"class", "lead"}}, answer);
  const Finding found = severest_finding(run);
  const bool told =
      found.cell != nullptr && (found.cell->outcome == Outcome::allowed || found.cell->outcome > Outcome::unavailable);
  if (!told) return;
  const auto lead = out.tag("p", {{"class", "lead"}});
  out.element("a", {{"href", "#finding"}}, headline(found));
}

const char* title_of(Outcome worst) {
  if (worst == Outcome::allowed) return "An allowed violation";
  return worst == Outcome::caught ? "An expected violation" : "Not as expected";
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
  for (const auto& answer : lock_answers(run)) out.element("p", {{"class", "lead"}}, answer);
  write_lead(run, out);
  std::string line = parts.circumstances;
  if (!run.suite.empty()) line += " · suite " + run.suite;
  if (!run.started_utc.empty()) line += " · started " + run.started_utc;
  if (!run.version.empty()) line += " · holdfast " + run.version;
  out.element("p", {{"class", "circumstances"}}, line);
  if (run.interrupted) {
    out.element("p", {{"class", "notice"}},
                "This run was interrupted. The page shows what was judged until then; cells with … are not complete.");
  }
}

void write_severest(const PageInput& in, HtmlWriter& out) {
  const Finding found = severest_finding(in.run);
  if (found.cell == nullptr) return;
  const auto section = out.tag("section", {{"id", "finding"}, {"class", "finding"}});
  out.element("h2", {}, title_of(found.cell->outcome));
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

namespace {

void write_matrix_cell(const Cell* cell, HtmlWriter& out) {
  const auto data = out.tag("td");
  if (cell == nullptr) {
    out.element("span", {{"class", "absent"}}, "no cell");
    return;
  }
  const auto link = out.tag("a", {{"href", "#" + cell_anchor(*cell)}, {"class", "cell-link"}});
  write_outcome(cell->outcome, repeated_text(*cell), out);
}

void write_legend(const RunVerdict& run, HtmlWriter& out) {
  std::set<Outcome> shown;
  for (const auto& cell : run.cells) shown.insert(cell.outcome);
  const auto list = out.tag("ul", {{"class", "legend"}});
  for (const Outcome outcome : shown) {
    const auto item = out.tag("li");
    write_outcome(outcome, "", out);
    out.text(fmt::format(" {}", words_of(outcome).meaning.view()));
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) out.element("li", {}, "k/n: trials as expected");
}

}  // namespace

void write_matrix_table(const RunVerdict& run, HtmlWriter& out) {
  const MatrixGrid grid(run);
  {
    const auto scroll = out.tag("div", {{"class", "scroll"}});
    const auto table = out.tag("table", {{"class", "matrix"}});
    {
      const auto head = out.tag("thead");
      const auto row = out.tag("tr");
      out.element("th", {{"scope", "col"}}, grid.corner());
      for (const auto& column : grid.columns) out.element("th", {{"scope", "col"}}, column);
    }
    const auto body = out.tag("tbody");
    for (const auto& name : grid.rows) {
      const auto row = out.tag("tr");
      out.element("th", {{"scope", "row"}}, name);
      for (const auto& column : grid.columns) write_matrix_cell(grid.cell(name, column), out);
    }
  }
  write_legend(run, out);
}

}  // namespace holdfast
