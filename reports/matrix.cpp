#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "reports/finding.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/sentence.hpp"
#include "reports/visible.hpp"

namespace holdfast {
namespace {

std::string coloured(const std::string& text, const char* ansi, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", ansi, text) : text;
}

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
  std::string out;
  for (const Outcome outcome : shown) {
    const auto& words = words_of(outcome);
    out += fmt::format("{}{} {}", out.empty() ? "" : " · ", coloured(words.terminal, words.ansi, colour), words.meaning);
  }
  const bool repeated = std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials.size() > 1; });
  return out + (repeated ? " · k/n trials as expected" : "") + (out.empty() ? "" : "\n");
}

// What was not as expected: a line each, then the facts and the way to see it again.
std::string complaints(const RunVerdict& run, bool colour) {
  std::string out;
  for (const Cell* cell : not_as_expected(run)) {
    const Finding found = finding_of(*cell);
    const auto& words = words_of(cell->outcome);
    out += fmt::format("\n{}  {}\n", coloured(words.terminal, words.ansi, colour), visible(headline(found)));
    const Narration told = narrate(found, nullptr);
    for (const auto& fact : told.facts) out += "    " + visible(fact) + "\n";
    if (!told.suggestion.empty()) out += "    Suggested cause: " + visible(told.suggestion) + "\n";
    out += "    rerun: " + rerun_command(run, *cell) + "\n";
  }
  return out;
}

std::string proofs(const RunVerdict& run) {
  std::string out;
  for (const auto& proof : run.faults) out += (out.empty() ? "\nFaults proved: " : "   ") + visible(proof_text(proof));
  return out.empty() ? "" : out + "\n";
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
  return out + complaints(run, colour) + proofs(run);
}

}  // namespace holdfast
