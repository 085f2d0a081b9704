#include "reports/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/assertion_text.hpp"
#include "reports/cell_section.hpp"
#include "reports/figure.hpp"
#include "reports/glossary.hpp"
#include "reports/lock_answer.hpp"
#include "reports/matrix.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/packed_cells.hpp"
#include "reports/page_frame.hpp"
#include "reports/page_head.hpp"
#include "reports/page_scripts.hpp"
#include "reports/rerun.hpp"
#include "reports/run_changes.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWideMatrix = 12;     // columns; beyond them names stand upright, and outcomes are signs
constexpr std::ptrdiff_t kFewNotBegun = 3;  // rows: so many do no harm in the table

// Writes the mistake of the lock and the schedule that proves it, if there is one; of what no lease prevents, its
// origin.
void write_flaw_of(const LockFinding& one, HtmlWriter& out) {
  if (one.flaw.empty()) return;
  const auto line = out.tag("p", {{"class", "flaw"}});
  out.element("strong", {}, !one.promised ? "Why:" : one.flaw_is_known() ? "Flaw:" : "Likely:");
  out.text(" " + one.flaw);
  if (one.schedule) out.text(" Proved by explore: " + one.schedule->cause + ".");
  if (!one.needs.empty() && one.needs != kNeedsNoFault) out.text(" It needs: " + one.needs + ".");
}

// Writes the findings on a suite that was made for one lock, in the order of `holdfast try`. The cells' expectations
// follow further below.
void write_findings(const RunAssessment& found, HtmlWriter& out) {
  if (answer_of(found).empty() || found.findings.empty()) return;
  const auto section = out.tag("section", {{"id", "answer"}});
  out.element("h2", {}, "Findings, simplest cell first");
  const auto list = out.tag("ol", {{"class", "findings"}});
  for (const LockFinding& one : found.findings) {
    const auto item = out.tag("li");
    out.element("strong", {}, capitalised(severity_words(one.severity)));
    out.text(beyond_promise(one) + ": " + one.told.headline + ". Shown by ");
    for (const Cell* cell : one.cases) {
      if (cell != one.cases.front()) out.text(", ");
      out.element("a", {{"href", "#" + cell_anchor(*cell)}}, cell->scenario);
    }
    out.text(".");
    write_flaw_of(one, out);
  }
}

void write_matrix_cell(const std::string& column, const Cell* cell, HtmlWriter& out) {
  const auto data = out.tag("td", {{"data-label", column}, {"class", cell == nullptr ? "blank" : ""}});
  if (cell == nullptr) {
    out.element("span", {{"class", "absent"}}, "no cell");
    return;
  }
  const auto link = out.tag("a", {{"href", "#" + cell_anchor(*cell)}, {"class", "cell-link"}});
  write_outcome(cell->outcome, repeated_text(*cell), out);
}

void write_legend(const RunAssessment& found, HtmlWriter& out) {
  const auto& cells = found.run.cells;
  const auto list = out.tag("ul", {{"class", "legend"}});
  for (const auto& [outcome, count] : found.counts.outcomes) {
    const auto item = out.tag("li");
    write_outcome(outcome, "", out);
    out.text(fmt::format(" {}", words_of(outcome).meaning.view()));
  }
  const bool repeated = std::any_of(cells.begin(), cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) out.element("li", {}, "k/n: trials as expected");
}

// Cells of an interrupted run that never began carry no result: their names are enough.
bool was_begun(const MatrixGrid& grid, const std::string& row) {
  return std::any_of(grid.columns.begin(), grid.columns.end(), [&](const std::string& column) {
    const Cell* cell = grid.cell(row, column);
    return cell != nullptr && (cell->outcome != Outcome::not_run || !cell->trials.empty());
  });
}

void write_not_begun(const std::vector<std::string>& rows, HtmlWriter& out) {
  if (rows.empty()) return;
  const auto p = out.tag("p", {{"class", "not-begun"}});
  write_outcome(Outcome::not_run, "", out);
  std::string names;
  for (const auto& row : rows) names += (names.empty() ? " " : ", ") + row;
  out.text(names);
}

void write_matrix_table(const RunAssessment& found, HtmlWriter& out) {
  const MatrixGrid grid(found.run);
  std::vector<std::string> begun = grid.rows;
  std::vector<std::string> others;
  const auto first =
      std::stable_partition(begun.begin(), begun.end(), [&](const auto& row) { return was_begun(grid, row); });
  if (begun.end() - first > kFewNotBegun && first != begun.begin()) {
    others.assign(first, begun.end());
    begun.erase(first, begun.end());
  } else {
    begun = grid.rows;
  }
  {
    const auto scroll = scrolling_part("locks and scenarios", out);
    const bool wide = grid.columns.size() > kWideMatrix;
    const auto table = out.tag("table", {{"class", wide ? "matrix wide" : "matrix cards"}});
    {
      const auto head = out.tag("thead");
      const auto row = out.tag("tr");
      out.element("th", {{"scope", "col"}}, grid.corner());
      for (const auto& column : grid.columns) out.element("th", {{"scope", "col"}}, column);
    }
    const auto body = out.tag("tbody");
    for (const auto& name : begun) {
      const auto row = out.tag("tr");
      out.element("th", {{"scope", "row"}}, name);
      for (const auto& column : grid.columns) write_matrix_cell(column, grid.cell(name, column), out);
    }
  }
  write_not_begun(others, out);
  write_legend(found, out);
}

void write_matrix_section(const RunAssessment& found, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "matrix"}});
  out.element("h2", {}, "Locks and scenarios");
  if (found.cells.empty()) {
    out.element("p", {{"class", "quiet"}}, "No cell ran.");
    return;
  }
  write_matrix_table(found, out);
}

const char* title_of(Outcome worst) {
  if (worst == Outcome::allowed) return "An allowed violation";
  return worst == Outcome::caught ? "An expected violation" : "Not as expected";
}

// Everything else that is not as expected: each cause once, with the cells that show it.
void write_other_findings(const RunAssessment& found, HtmlWriter& out) {
  const Cell* const told = found.severest.cell;
  const auto& causes = found.causes;
  if (causes.empty()) return;
  if (causes.size() == 1 && causes.front().first->cell == told && causes.front().others.empty()) return;
  out.element("h3", {}, "Also not as expected");
  const auto list = out.tag("ul", {{"class", "findings"}});
  for (const auto& cause : causes) {
    const Cell& first = *cause.first->cell;
    if (&first == told && cause.others.empty()) continue;
    const auto item = out.tag("li");
    if (&first == told) {
      out.text("the same in other cells: ");
    } else {
      write_outcome(first.outcome, repeated_text(first), out);
      out.text(" ");
      out.element("a", {{"href", "#" + cell_anchor(first)}}, headline(cause.first->told));
      if (!cause.others.empty()) out.text("; the same in ");
    }
    for (const CellAssessment* other : cause.others) {
      if (other->cell == told) continue;
      if (other != cause.others.front()) out.text(", ");
      out.element("a", {{"href", "#" + cell_anchor(*other->cell)}}, other->cell->scenario);
    }
  }
}

void write_severest(const PageInput& in, HtmlWriter& out) {
  const Finding& found = in.found.severest;
  if (found.cell == nullptr) return;
  const auto section = out.tag("section", {{"id", "finding"}, {"class", "finding"}});
  out.element("h2", {}, title_of(found.cell->outcome));
  {
    const auto line = out.tag("h3");
    write_outcome(found.cell->outcome, repeated_text(*found.cell), out);
    out.text(" ");
    out.element("a", {{"href", "#" + cell_anchor(*found.cell)}}, short_headline(found));
  }
  write_about(*found.cell, out);
  const Timeline* const timeline = timeline_of(in, found);
  if (found.witness != nullptr && timeline != nullptr && !is_explored(*found.cell))
    write_figure(found, *timeline, true, out);
  if (found.witness != nullptr) {
    const ExploredFind* const explored = explored_find(in, found);
    if (explored != nullptr) write_explored_find(*explored, out);
    if (explored == nullptr) write_story(found, timeline, in.sent, out);
    write_instead(in, *found.cell, out);
  }
  out.element("p", {{"class", "label"}}, "Rerun it");
  out.element("pre", {{"class", "command"}}, rerun_command(in.found.run, *found.cell));
  if (found.witness != nullptr && timeline != nullptr && !is_explored(*found.cell)) write_explorer(in, found, out);
  write_other_findings(in.found, out);
}

void write_proofs(const RunVerdict& run, HtmlWriter& out) {
  if (run.faults.empty()) return;
  const auto section = out.tag("section", {{"id", "faults"}});
  out.element("h2", {}, "Faults proved");
  const auto scroll = scrolling_part("faults", out);
  const auto table = out.tag("table", {{"class", "numbers proofs cards"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"fault", "measured in force", "measurement"}) out.element("th", {{"scope", "col"}}, name);
  }
  const auto body = out.tag("tbody");
  for (const auto& proof : run.faults) {
    const auto row = out.tag("tr", {{"class", proof.unavailable.empty() ? "" : "quiet"}});
    out.element("th", {{"scope", "row"}}, proof.fault);
    if (!proof.unavailable.empty()) {
      out.element("td", {{"data-label", "in force"}}, "– unavailable here");
      out.element("td", {{"class", "prose"}, {"data-label", "why"}}, proof.unavailable);
      continue;
    }
    const bool all = proof.acted >= proof.planned;
    out.element("td", {{"class", all ? "" : "flag"}, {"data-label", "in force"}},
                fmt::format("{} {} of {}", all ? "✓" : "E", proof.acted, proof.planned));
    out.element("td", {{"class", "prose"}, {"data-label", "measured"}}, measured_text(proof));
  }
}

void write_left_out(const std::vector<LeftOut>& parts, const char* because, HtmlWriter& out) {
  if (parts.empty()) return;
  const auto list = out.tag("ul", {});
  for (const auto& one : parts) out.element("li", {}, one.what + because + one.why);
}

void write_not_tried(const RunAssessment& found, HtmlWriter& out) {
  if (found.left_out.empty() && found.not_needed.empty()) return;
  const auto section = out.tag("section", {{"id", "not-tried"}});
  out.element("h2", {}, "Not tried");
  write_left_out(found.left_out, ": not tried, because ", out);
  if (found.not_needed.empty()) return;
  const auto folded = out.tag("details", {});
  out.element("summary", {}, "Not needed: scenarios that do not apply, or are the same as others");
  write_left_out(found.not_needed, ": ", out);
}

void write_rule_and_changes(const RunVerdict& run, HtmlWriter& out) {
  if (!run.rule.empty()) out.element("p", {}, run.rule);
  for (const auto& note : run.notes) out.element("p", {}, note);
  if (run.baseline.empty()) return;
  const auto section = out.tag("section", {{"id", "changes"}});
  out.element("h2", {}, "Against the baseline " + run.baseline);
  if (run.changes.empty()) out.element("p", {{"class", "quiet"}}, "No changes.");
  const auto list = out.tag("ul", {{"class", "findings"}});
  for (const auto& line : change_lines(run)) {
    const auto item = out.tag("li");
    out.element("span", {{"class", "change change-" + line.word}}, line.word);
    out.text(" " + line.text);
  }
}

void write_cells(const PageInput& in, PackedCells& cells, HtmlWriter& out) {
  if (in.found.cells.empty()) return;
  const auto section = out.tag("section", {{"id", "cells"}, {"class", packs_cells(in.found) ? "many" : ""}});
  out.element("h2", {}, "All cells");
  out.add(embedded_markup("signs.html"));
  cells.write_all(out);
}

void write_environment(const PageInput& in, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "environment"}});
  out.element("h2", {}, "Environment");
  if (!in.found.run.command.empty()) {
    out.element("p", {{"class", "label"}}, "Rerun everything");
    out.element("pre", {{"class", "command"}}, in.found.run.command);
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
  const RunVerdict& run = in.found.run;
  PackedCells cells(in);
  return whole_page(
      {.title = head_title(in.found), .moves = true},
      [&](HtmlWriter& out) {
        write_page_head(in, out);
        write_findings(in.found, out);
        const LockAssessment* const lock = in.found.graded();
        const bool broken = lock != nullptr && lock->grade.grade == Grade::broken;
        if (!broken) write_matrix_section(in.found, out);
        write_rule_and_changes(run, out);
        write_severest(in, out);
        if (broken) write_matrix_section(in.found, out);  // its table is long, and most of it went well
        write_assertions(run, out);
        write_proofs(run, out);
        write_not_tried(in.found, out);
        write_cells(in, cells, out);
        write_glossary(words_of_run(run), out);
        write_environment(in, out);
      },
      [&](HtmlWriter& out) {
        cells.write_bodies(out);
        write_scripts(in, out);
      });
}

}  // namespace holdfast
