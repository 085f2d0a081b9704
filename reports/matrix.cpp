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
#include "reports/visible.hpp"

namespace holdfast {
namespace {

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

std::string cell_text(const Cell* cell) {
  if (cell == nullptr) return "";
  const std::string repeated = repeated_text(*cell);
  return words_of(cell->outcome).terminal + (repeated.empty() ? "" : fmt::format(" {}", repeated));
}

std::size_t column_width(const MatrixGrid& grid, const std::string& column) {
  std::size_t width = columns(visible(column));
  for (const auto& row : grid.rows) width = std::max(width, columns(cell_text(grid.cell(row, column))));
  return width + 2;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string table(const RunVerdict& run, bool colour) {
  const MatrixGrid grid(run);
  std::size_t first = 0;
  for (const auto& row : grid.rows) first = std::max(first, columns(visible(row)) + 2);
  std::vector<std::size_t> widths;
  std::string head = std::string(first, ' ');
  for (const auto& column : grid.columns) {
    widths.push_back(column_width(grid, column));
    head += padded(visible(column), widths.back());
  }
  std::string out = without_trailing_blanks(head);
  for (const auto& row : grid.rows) {
    std::string line = padded(visible(row), first);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Cell* cell = grid.cell(row, grid.columns[i]);
      const std::string text = cell_text(cell);
      const std::string blank(widths[i] - columns(text), ' ');
      line += (cell == nullptr ? text : coloured(text, words_of(cell->outcome).ansi, colour)) + blank;
    }
    out += without_trailing_blanks(line);
  }
  return out;
}

// Only the outcomes that the matrix shows.
std::string legend(const RunVerdict& run, bool colour) {
  std::set<Outcome> shown;
  for (const auto& cell : run.cells) shown.insert(cell.outcome);
  TerminalLines lines{" · ", ""};
  for (const Outcome outcome : shown) {
    const auto& words = words_of(outcome);
    const std::string plain = fmt::format("{} {}", words.terminal, words.meaning);
    lines.add(plain, fmt::format("{} {}", coloured(words.terminal, words.ansi, colour), words.meaning));
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) lines.add("k/n trials as expected", "k/n trials as expected");
  if (has_blanks(run)) lines.add("blank: not in that scenario", "blank: not in that scenario");
  return lines.out + "\n";
}

std::string proofs(const RunVerdict& run) {
  if (run.faults.empty()) return "";
  const std::string title = "Faults proved: ";
  TerminalLines lines{"   ", std::string(title.size(), ' '), title, title.size()};
  for (const auto& proof : run.faults) {
    const std::string text = visible(proof_text(proof));
    lines.add(text, text);
  }
  return "\n" + lines.out + "\n";
}

std::string not_tried(const RunVerdict& run) {
  if (run.not_tried.empty()) return "";
  std::string out = "\nNot tried:\n";
  for (const auto& [why, what] : left_out_by_reason(run)) {
    out += fmt::format("  {}:\n{}", visible(why), paragraph(what));
  }
  return out;
}

}  // namespace

std::string proof_text(const FaultProof& proof) {
  if (!proof.unavailable.empty()) return fmt::format("{} unavailable ({})", proof.fault, proof.unavailable);
  const std::string detail = proof.detail.empty() ? "" : fmt::format(" ({})", proof.detail);
  return fmt::format("{} {}/{}{}", proof.fault, proof.acted, proof.planned, detail);
}

std::string matrix_text(const RunVerdict& run, bool colour) {
  const Sentence parts = sentence_parts(run);
  const char* ansi = parts.word == "PASS" ? "1;32" : parts.word == "FAIL" ? "1;31" : "1;33";
  std::string out = coloured(parts.word, ansi, colour) + run_sentence(run).substr(parts.word.size()) + "\n";
  if (!run.cells.empty()) out += fmt::format("\n{}\n{}", table(run, colour), legend(run, colour));
  return out + terminal_stories(run, colour) + proofs(run) + not_tried(run);
}

}  // namespace holdfast
