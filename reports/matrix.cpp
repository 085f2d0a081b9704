#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

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

std::size_t column_width(const RunVerdict& run, const std::string& scenario) {
  std::size_t width = columns(visible(scenario));
  for (const auto& cell : run.cells) {
    if (cell.scenario == scenario) width = std::max(width, columns(cell_text(&cell)));
  }
  return width + 2;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string table(const RunVerdict& run, bool colour) {
  std::size_t first = 0;
  for (const auto& lock : run.locks) first = std::max(first, columns(visible(lock)) + 2);
  std::string head = std::string(first, ' ');
  for (const auto& scenario : run.scenarios) head += padded(visible(scenario), column_width(run, scenario));
  std::string out = without_trailing_blanks(head);
  for (const auto& lock : run.locks) {
    std::string line = padded(visible(lock), first);
    for (const auto& scenario : run.scenarios) {
      const Cell* cell = find_cell(run, lock, scenario);
      const std::string text = cell_text(cell);
      const std::string blank(column_width(run, scenario) - columns(text), ' ');
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
  return out + terminal_stories(run, colour) + proofs(run);
}

}  // namespace holdfast
