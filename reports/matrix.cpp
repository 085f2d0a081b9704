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

constexpr std::size_t kWidth = 120;

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

// Items one after the other, on a new line wherever the next would not fit. Widths are those of the plain texts.
struct Lines {
  std::string separator;
  std::string indent;
  std::string out{};
  std::size_t used = 0;

  void add(const std::string& plain, const std::string& shown) {
    const std::size_t width = columns(plain);
    if (used > 0 && used + columns(separator) + width > kWidth) {
      out += "\n" + indent;
      used = indent.size();
    } else if (used > indent.size()) {
      out += separator;
      used += columns(separator);
    }
    out += shown;
    used += width;
  }
};

// Only the outcomes that the matrix shows.
std::string legend(const RunVerdict& run, bool colour) {
  std::set<Outcome> shown;
  for (const auto& cell : run.cells) shown.insert(cell.outcome);
  Lines lines{" · ", ""};
  for (const Outcome outcome : shown) {
    const auto& words = words_of(outcome);
    const std::string plain = fmt::format("{} {}", words.terminal, words.meaning);
    lines.add(plain, fmt::format("{} {}", coloured(words.terminal, words.ansi, colour), words.meaning));
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) lines.add("k/n trials as expected", "k/n trials as expected");
  return lines.out + "\n";
}

std::string paragraph(const std::string& text) {
  const std::string indent(4, ' ');
  Lines lines{" ", indent, indent, indent.size()};
  const std::string seen = visible(text);
  for (std::size_t at = 0; at < seen.size();) {
    const std::size_t end = std::min(seen.find(' ', at), seen.size());
    lines.add(seen.substr(at, end - at), seen.substr(at, end - at));
    at = end + 1;
  }
  return lines.out + "\n";
}

// What was not as expected: a line each, then the facts and the way to see it again.
std::string complaints(const RunVerdict& run, bool colour) {
  std::string out;
  for (const Cell* cell : not_as_expected(run)) {
    const Finding found = finding_of(*cell);
    const auto& words = words_of(cell->outcome);
    out += fmt::format("\n{}  {}\n", coloured(words.terminal, words.ansi, colour), visible(headline(found)));
    const Narration told = narrate(found, nullptr);
    for (const auto& fact : told.facts) out += paragraph(fact);
    if (!told.suggestion.empty()) out += paragraph("Suggested cause: " + told.suggestion);
    out += "    rerun: " + rerun_command(run, *cell) + "\n";
  }
  return out;
}

std::string proofs(const RunVerdict& run) {
  if (run.faults.empty()) return "";
  const std::string title = "Faults proved: ";
  Lines lines{"   ", std::string(title.size(), ' '), title, title.size()};
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
  return out + complaints(run, colour) + proofs(run);
}

}  // namespace holdfast
