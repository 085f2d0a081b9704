#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/causes_once.hpp"
#include "reports/finding.hpp"
#include "reports/lock_answer.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/run_changes.hpp"
#include "reports/sentence.hpp"
#include "reports/shown.hpp"

namespace holdfast {

// Text for a terminal: what is coloured, and what does not fit a line.

// `ansi` is the colour's code, as "1;31"; without `colour` the text stays as it is.
Shown coloured(const Shown& text, Literal ansi, bool colour);

// Items one after the other, on a new line wherever the next would not fit 120 columns. `plain` is what is counted, and
// `coloured` what is written.
//
//   TerminalLines lines{Literal(" · "), {}};
//   lines.add("ok as expected");
struct TerminalLines {
  Shown separator;
  Shown indent;  // of every line but the first
  Shown out{};
  std::size_t used = 0;  // columns of the last line

  void add(const Shown& plain, const Shown& coloured);
  void add(const Shown& plain) { add(plain, plain); }
  void add(Literal plain) { add(Shown(plain)); }
};

void add_words(std::string_view text, TerminalLines& lines);

// The words of `text` as lines indented by four; ends with a line end.
Shown paragraph(std::string_view text);

// What a terminal tells of single cells below the matrix: each that is not as expected, and of a run of few cells each
// flaw that was caught, with the scenario's reason for expecting it. UTF-8; empty when there is nothing to tell.

Shown terminal_stories(const RunVerdict&, bool colour);

namespace {

constexpr std::size_t kMostColumns = 12;

bool lies_down(const RunVerdict& run) {
  return run.scenarios.size() > kMostColumns && run.scenarios.size() > 2 * run.locks.size();
}

}  // namespace

MatrixGrid::MatrixGrid(const RunVerdict& of)
    : run(of),
      scenarios_down(lies_down(of)),
      rows(scenarios_down ? of.scenarios : of.locks),
      columns(scenarios_down ? of.locks : of.scenarios) {}

const Cell* MatrixGrid::cell(const std::string& row, const std::string& column) const {
  return scenarios_down ? find_cell(run, column, row) : find_cell(run, row, column);
}

std::vector<LeftOut> left_out_by_reason(const RunVerdict& run) {
  const auto plain = [](const std::string& lock) { return lock.substr(0, lock.find('+')); };
  std::set<std::string> locks;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> locks_of;  // by reason and what
  for (const auto& lock : run.locks) locks.insert(plain(lock));
  for (const auto& one : run.not_tried) {
    locks.insert(plain(one.lock));
    locks_of[{one.why, one.what}].insert(plain(one.lock));
  }
  std::vector<LeftOut> out;
  std::set<std::pair<std::string, std::string>> told;
  for (const auto& one : run.not_tried) {
    const bool of_all = locks_of[{one.why, one.what}] == locks;
    const std::string name = of_all ? one.what : one.lock + "/" + one.what;
    if (!told.insert({one.why, name}).second) continue;
    const auto known = std::find_if(out.begin(), out.end(), [&](const LeftOut& l) { return l.why == one.why; });
    if (known == out.end()) {
      out.push_back({one.why, name});
    } else {
      known->what += ", " + name;
    }
  }
  return out;
}

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
  for (const auto& one : left_out_by_reason(run)) out += paragraph(one.text());
  return out;
}

Shown said(const std::string& text) {
  TerminalLines lines{Literal(" "), {}};
  add_words(text, lines);
  return shown("\n{}\n", lines.out);
}

// What has changed since the baseline, what the locks' manifests want to be told, and how long cells were repeated.
Shown changes(const RunVerdict& run) {
  Shown out;
  if (!run.rule.empty()) out += said(run.rule);
  for (const auto& note : run.notes) out += said(note);
  if (run.baseline.empty()) return out;
  out += shown("\nAgainst the baseline {}:\n", run.baseline);
  if (run.changes.empty()) {
    const bool whole =
        std::none_of(run.cells.begin(), run.cells.end(), [](const Cell& cell) { return cell.trials_not_run() > 0; });
    return out +=
           whole ? Literal("    all as it was\n") : Literal("    what was run is as it was; the rest is not known\n");
  }
  for (const auto& line : change_lines(run)) out += paragraph(fmt::format("{:<7} {}", line.word, line.text));
  return out;
}

// The last thing that is said, since it is what the reader wanted to know.
Shown answers(const RunVerdict& run) {
  Shown out;
  auto all = lock_answers(run);
  for (auto& answer : data_answers(run)) all.push_back(std::move(answer));
  for (const auto& answer : all) {
    TerminalLines lines{Literal(" "), {}};
    add_words(answer, lines);
    out += shown("\n{}\n", lines.out);
  }
  return out;
}

}  // namespace

std::string proof_text(const FaultProof& proof) {
  if (!proof.unavailable.empty()) return fmt::format("{} unavailable ({})", proof.fault, proof.unavailable);
  const std::string measured = measured_text(proof);
  const std::string detail = measured.empty() ? "" : fmt::format(" ({})", measured);
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
  return shown("{}{}{}{}{}{}", out, terminal_stories(run, colour), proofs(run), not_tried(run), changes(run),
               answers(run));
}

namespace {

constexpr std::size_t kWidth = 120;

}  // namespace

Shown coloured(const Shown& text, Literal ansi, bool colour) {
  return colour ? shown("\x1b[{}m{}\x1b[0m", ansi, text) : text;
}

void TerminalLines::add(const Shown& plain, const Shown& coloured) {
  const std::size_t width = plain.width();
  if (used > indent.width() && used + separator.width() + width > kWidth) {
    out += shown("\n{}", indent);
    used = indent.width();
  } else if (used > indent.width()) {
    out += separator;
    used += separator.width();
  }
  out += coloured;
  used += width;
}

void add_words(std::string_view text, TerminalLines& lines) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    lines.add(shown("{}", text.substr(at, end - at)));
    at = end + 1;
  }
}

Shown paragraph(std::string_view text) {
  constexpr std::size_t kIndent = 4;
  TerminalLines lines{Literal(" "), Shown::blanks(kIndent), Shown::blanks(kIndent), kIndent};
  add_words(text, lines);
  return shown("{}\n", lines.out);
}

namespace {

// The headline, the facts with their numbers, and what may be behind them.
Shown story(const RunVerdict& run, const Cell& cell, bool colour) {
  const auto& words = words_of(cell.outcome);
  const Narration told = narrate(finding_of(run, cell), nullptr);
  Shown out = shown("\n{}  {}\n", coloured(words.terminal, words.ansi, colour), told.headline);
  for (const auto& fact : told.facts) out += paragraph(fact);
  if (!told.suggestion.empty()) out += paragraph(told.label + ": " + told.suggestion);
  for (const auto& line : told.controls) out += paragraph("Controls: " + line);
  if (!told.remedy.empty()) out += paragraph("Remedy: " + told.remedy);
  return out;
}

// Where a violation was seen and another one expected, the headline says only the first.
Shown expectations(const RunVerdict& run, const Cell& cell) {
  const Finding found = finding_of(run, cell);
  if (cell.outcome != Outcome::unexpected || found.trial == nullptr) return {};
  Shown out;
  for (const auto& m : found.trial->mismatches) {
    if (m.expected == "holds" || allows(m.expected)) continue;
    out += paragraph("Expected: " + m.property + " " + expected_word(m.expected) + "; seen: " + m.seen);
  }
  return out;
}

}  // namespace

Shown terminal_stories(const RunVerdict& run, bool colour) {
  Shown out;
  for (const Cell* cell : caught_and_told(run)) {
    out += story(run, *cell, colour);
    if (!cell->why.empty()) out += paragraph("Why this is expected: " + cell->why);
  }
  for (const auto& cause : causes_once(run)) {
    out += story(run, *cause.first, colour);
    out += expectations(run, *cause.first);
    std::string others;
    for (const Cell* other : cause.others) others += (others.empty() ? "" : ", ") + other->scenario;
    if (!others.empty()) out += paragraph("Also in: " + others);
    out += shown("    rerun: {}\n", rerun_command(run, *cause.first));
  }
  if (out.text().find('#') != std::string::npos) out += Literal("\n#n: the event with \"index\":n in history.jsonl\n");
  return out;
}

}  // namespace holdfast
