#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "reports/matrix_grid.hpp"
#include "reports/not_tried.hpp"
#include "reports/outcome_words.hpp"
#include "reports/sentence.hpp"
#include "reports/terminal_lines.hpp"
#include "reports/terminal_stories.hpp"

namespace holdfast {
namespace {

Shown padded(const Shown& text, std::size_t width) {
  return shown("{}{}", text, Shown::blanks(width - std::min(width, text.width())));
}

Shown cell_text(const Cell* cell) {
  if (cell == nullptr) return {};
  const std::string repeated = repeated_text(*cell);
  const Literal word = words_of(cell->outcome).terminal;
  return repeated.empty() ? word : shown("{} {}", word, repeated);
}

std::size_t column_width(const MatrixGrid& grid, const std::string& column) {
  std::size_t width = columns(column);
  for (const auto& row : grid.rows) width = std::max(width, cell_text(grid.cell(row, column)).width());
  return width + 2;
}

Shown matrix_table(const RunVerdict& run, bool colour) {
  const MatrixGrid grid(run);
  std::size_t first = 0;
  for (const auto& row : grid.rows) first = std::max(first, columns(row) + 2);
  std::vector<std::size_t> widths;
  Shown head = Shown::blanks(first);
  for (const auto& column : grid.columns) {
    widths.push_back(column_width(grid, column));
    head += padded(shown("{}", column), widths.back());
  }
  Shown out = shown("{}\n", head.without_trailing_blanks());
  for (const auto& row : grid.rows) {
    Shown line = padded(shown("{}", row), first);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Cell* cell = grid.cell(row, grid.columns[i]);
      const Shown text = cell_text(cell);
      line += cell == nullptr ? text : coloured(text, words_of(cell->outcome).ansi, colour);
      line += Shown::blanks(widths[i] - text.width());
    }
    out += shown("{}\n", line.without_trailing_blanks());
  }
  return out;
}

// Only the outcomes that the matrix shows.
Shown outcome_legend(const RunVerdict& run, bool colour) {
  std::set<Outcome> met;
  for (const auto& cell : run.cells) met.insert(cell.outcome);
  TerminalLines lines{Literal(" · "), {}};
  for (const Outcome outcome : met) {
    const auto& words = words_of(outcome);
    lines.add(shown("{} {}", words.terminal, words.meaning),
              shown("{} {}", coloured(words.terminal, words.ansi, colour), words.meaning));
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) lines.add("k/n trials as expected");
  if (has_blanks(run)) lines.add("blank: not in that scenario");
  return shown("{}\n", lines.out);
}

Shown proofs(const RunVerdict& run) {
  if (run.faults.empty()) return {};
  const Shown title(Literal("Faults proved: "));
  TerminalLines lines{Literal("   "), Shown::blanks(title.width()), title, title.width()};
  for (const auto& proof : run.faults) lines.add(shown("{}", proof_text(proof)));
  return shown("\n{}\n", lines.out);
}

Shown not_tried(const RunVerdict& run) {
  if (run.not_tried.empty()) return {};
  Shown out(Literal("\nNot tried:\n"));
  for (const auto& [why, what] : left_out_by_reason(run)) {
    out += shown("  {}:\n{}", why, paragraph(what));
  }
  return out;
}

}  // namespace

std::string proof_text(const FaultProof& proof) {
  if (!proof.unavailable.empty()) return fmt::format("{} unavailable ({})", proof.fault, proof.unavailable);
  const std::string detail = proof.detail.empty() ? "" : fmt::format(" ({})", proof.detail);
  return fmt::format("{} {}/{}{}", proof.fault, proof.acted, proof.planned, detail);
}

Shown matrix_text(const RunVerdict& run, bool colour) {
  const Sentence parts = sentence_parts(run);
  const Literal ansi = parts.word == "PASS"   ? Literal("1;32")
                       : parts.word == "FAIL" ? Literal("1;31")
                                              : Literal("1;33");
  Shown out =
      shown("{}{}\n", coloured(shown("{}", parts.word), ansi, colour), run_sentence(run).substr(parts.word.size()));
  if (!run.cells.empty()) out += shown("\n{}\n{}", matrix_table(run, colour), outcome_legend(run, colour));
  return shown("{}{}{}{}", out, terminal_stories(run, colour), proofs(run), not_tried(run));
}

}  // namespace holdfast
