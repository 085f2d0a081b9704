#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "artifact/property_words.hpp"
#include "reports/assertion_text.hpp"
#include "reports/lock_answer.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/run_changes.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWidth = 120;  // of texts, where the screen is not narrower
constexpr std::size_t kMostColumns = 12;

bool lies_down(const RunVerdict& run) {
  return run.scenarios.size() > kMostColumns && run.scenarios.size() > 2 * run.locks.size();
}

// The screen: its columns (0: any) and whether it has colours.
struct Screen {
  bool colour = false;
  std::size_t columns = 0;

  std::size_t of_text() const { return columns == 0 ? kWidth : std::min(columns, kWidth); }
};

// `ansi` is the colour's code, as "1;31"; without `colour` the text is unchanged.
TerminalText coloured(const TerminalText& text, Literal ansi, bool colour) {
  return colour ? terminal_text("\x1b[{}m{}\x1b[0m", ansi, text) : text;
}

// Items one after the other, on a new line wherever the next would not fit. `plain` is what is counted, and
// `coloured` what is written.
//
//   TerminalLines lines{most, Literal(" · "), {}};
//   lines.add("ok as expected");
struct TerminalLines {
  std::size_t most;  // columns
  TerminalText separator;
  TerminalText indent;  // of every line except the first
  TerminalText out{};
  std::size_t used = 0;  // columns of the last line

  void add(const TerminalText& plain, const TerminalText& coloured);
  void add(const TerminalText& plain) { add(plain, plain); }
  void add(Literal plain) { add(TerminalText(plain)); }
};

void TerminalLines::add(const TerminalText& plain, const TerminalText& coloured) {
  const std::size_t width = plain.width();
  if (used > indent.width() && used + separator.width() + width > most) {
    out += terminal_text("\n{}", indent);
    used = indent.width();
  } else if (used > indent.width()) {
    out += separator;
    used += separator.width();
  }
  out += coloured;
  used += width;
}

// The words of `text`.
void add_words(std::string_view text, TerminalLines& lines) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    lines.add(terminal_text("{}", text.substr(at, end - at)));
    at = end + 1;
  }
}

// The words of `text` as lines indented by four; ends with a line end.
TerminalText paragraph(std::string_view text, const Screen& screen) {
  constexpr std::size_t kIndent = 4;
  TerminalLines lines{screen.of_text(), Literal(" "), TerminalText::blanks(kIndent), TerminalText::blanks(kIndent),
                      kIndent};
  add_words(text, lines);
  return terminal_text("{}\n", lines.out);
}

TerminalText padded(const TerminalText& text, std::size_t width) {
  return terminal_text("{}{}", text, TerminalText::blanks(width - std::min(width, text.width())));
}

TerminalText cell_text(const Cell* cell) {
  if (cell == nullptr) return {};
  const std::string repeated = repeated_text(*cell);
  const Literal word = words_of(cell->outcome).terminal;
  return repeated.empty() ? word : terminal_text("{} {}", word, repeated);
}

std::size_t column_width(const MatrixGrid& grid, const std::string& column) {
  std::size_t width = columns(column);
  for (const auto& row : grid.rows) width = std::max(width, cell_text(grid.cell(row, column)).width());
  return width + 2;
}

// The number of columns from `from` on that fit; one at least.
std::size_t columns_that_fit(const std::vector<std::size_t>& widths, std::size_t from, std::size_t room) {
  std::size_t used = 0;
  std::size_t count = 0;
  while (from + count < widths.size() && (count == 0 || used + widths[from + count] <= room + 2)) {
    used += widths[from + count++];
  }
  return count;
}

// A part of the matrix: some columns, with the names of all rows.
TerminalText matrix_part(const MatrixGrid& grid, std::size_t first, const std::vector<std::size_t>& widths,
                         std::size_t from, std::size_t to, bool colour) {
  TerminalText head = TerminalText::blanks(first);
  for (std::size_t i = from; i < to; ++i) head += padded(terminal_text("{}", grid.columns[i]), widths[i]);
  TerminalText out = terminal_text("{}\n", head.without_trailing_blanks());
  for (const auto& row : grid.rows) {
    TerminalText line = padded(terminal_text("{}", row), first);
    for (std::size_t i = from; i < to; ++i) {
      const Cell* cell = grid.cell(row, grid.columns[i]);
      const TerminalText text = cell_text(cell);
      line += cell == nullptr ? text : coloured(text, words_of(cell->outcome).ansi, colour);
      line += TerminalText::blanks(widths[i] - text.width());
    }
    out += terminal_text("{}\n", line.without_trailing_blanks());
  }
  return out;
}

TerminalText matrix_table(const RunVerdict& run, bool colour, std::size_t most) {
  const MatrixGrid grid(run);
  std::size_t first = 0;
  for (const auto& row : grid.rows) first = std::max(first, columns(row) + 2);
  std::vector<std::size_t> widths;
  for (const auto& column : grid.columns) widths.push_back(column_width(grid, column));
  const std::size_t room = most == 0 ? std::string::npos / 2 : most - std::min(most, first);
  TerminalText out;
  for (std::size_t from = 0; from < widths.size();) {
    const std::size_t to = from + columns_that_fit(widths, from, room);
    if (from > 0) out += "\n";
    out += matrix_part(grid, first, widths, from, to, colour);
    from = to;
  }
  return out;
}

// Only the outcomes that the matrix shows.
TerminalText outcome_legend(const RunAssessment& found, const Screen& screen) {
  const RunVerdict& run = found.run;
  TerminalLines lines{screen.of_text(), Literal(" · "), {}};
  for (const auto& [outcome, cells] : found.counts.outcomes) {
    const auto& words = words_of(outcome);
    lines.add(terminal_text("{} {}", words.terminal, words.meaning),
              terminal_text("{} {}", coloured(words.terminal, words.ansi, screen.colour), words.meaning));
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) lines.add("k/n trials as expected");
  if (has_blanks(run)) lines.add("blank: not part of that scenario");
  return terminal_text("{}\n", lines.out);
}

// One line per fault: "pause 5/5 (longest 2.31 s)", "delay unavailable (no netem)".
std::string proof_text(const FaultProof& proof) {
  if (!proof.unavailable.empty()) return fmt::format("{} unavailable ({})", proof.fault, proof.unavailable);
  const std::string measured = measured_text(proof);
  const std::string detail = measured.empty() ? "" : fmt::format(" ({})", measured);
  return fmt::format("{} {}/{}{}", proof.fault, proof.acted, proof.planned, detail);
}

TerminalText proofs(const RunVerdict& run, const Screen& screen) {
  if (run.faults.empty()) return {};
  const TerminalText title(Literal("Faults proved: "));
  TerminalLines lines{screen.of_text(), Literal("   "), TerminalText::blanks(title.width()), title, title.width()};
  for (const auto& proof : run.faults) lines.add(terminal_text("{}", proof_text(proof)));
  return terminal_text("\n{}\n", lines.out);
}

TerminalText not_tried(const RunAssessment& found, const Screen& screen) {
  TerminalText out;
  if (!found.left_out.empty()) out += Literal("\nNot tried:\n");
  for (const auto& one : found.left_out) out += paragraph(one.text(), screen);
  if (found.not_needed.empty()) return out;
  const auto parts = static_cast<std::size_t>(std::count_if(found.run.not_tried.begin(), found.run.not_tried.end(),
                                                            [](const NotTried& one) { return one.not_needed; }));
  return terminal_text("{}\n{}", out,
                       paragraph("Not needed: " + not_needed_words(parts) + " (listed in the report).", screen));
}

// A text below the matrix.
TerminalText said(const std::string& text, const Screen& screen) {
  TerminalLines lines{screen.of_text(), Literal(" "), {}};
  add_words(text, lines);
  return terminal_text("\n{}\n", lines.out);
}

// The changes since the baseline, the notes of the locks' manifests, and the time for which cells were repeated.
TerminalText changes(const RunVerdict& run, const Screen& screen) {
  TerminalText out;
  if (!run.rule.empty()) out += said(run.rule, screen);
  for (const auto& note : run.notes) out += said(note, screen);
  if (run.baseline.empty()) return out;
  out += terminal_text("\nAgainst the baseline {}:\n", run.baseline);
  if (run.changes.empty()) {
    const bool whole =
        std::none_of(run.cells.begin(), run.cells.end(), [](const Cell& cell) { return cell.trials_not_run() > 0; });
    return out +=
           whole ? Literal("    no changes\n") : Literal("    no changes in what was run; the rest is unknown\n");
  }
  for (const auto& line : change_lines(run)) out += paragraph(fmt::format("{:<7} {}", line.word, line.text), screen);
  return out;
}

// The last thing that is said, since it is what the reader wanted to know.
TerminalText answers(const RunAssessment& found, const Screen& screen) {
  TerminalText out;
  for (const auto& answer : lock_answers(found)) out += said(answer, screen);
  for (const auto& answer : data_answers(found)) out += said(answer, screen);
  for (const auto& answer : assertion_answers(found.run)) out += said(answer, screen);
  return out;
}

// The headline, the facts with their numbers, and what may be behind them.
TerminalText story(const CellAssessment& one, const Screen& screen) {
  const auto& words = words_of(one.cell->outcome);
  const Narration told = narrate(one.told, nullptr);
  TerminalText out = terminal_text("\n{}  {}\n", coloured(words.terminal, words.ansi, screen.colour), told.headline);
  for (const auto& fact : told.facts) out += paragraph(fact.text, screen);
  if (!told.suggestion.empty()) out += paragraph(told.label + ": " + told.suggestion, screen);
  for (const auto& line : told.controls) out += paragraph("Controls: " + line, screen);
  if (!told.remedy.empty()) out += paragraph("Remedy: " + told.remedy, screen);
  return out;
}

// If one violation was seen and another expected, the headline has only the first.
TerminalText expectations(const CellAssessment& one, const Screen& screen) {
  if (one.cell->outcome != Outcome::unexpected || one.told.trial == nullptr) return {};
  TerminalText out;
  for (const auto& m : one.told.trial->mismatches) {
    if (m.expected == "holds" || allows(m.expected)) continue;
    out += paragraph("Expected: " + m.property + " " + expected_word(m.expected) + "; seen: " + m.seen, screen);
  }
  return out;
}

// A violation by the lock's own statements is explained by the order in which they ran, which a trial does not show.
TerminalText search_hint(const RunVerdict& run, const CellAssessment& one) {
  const Witness* const witness = one.told.witness;
  if (witness == nullptr || one.explored || (witness->kind != kinds::kAlgorithm.name && witness->kind != "stuck"))
    return {};
  const std::string command = search_command(run, *one.cell);
  return command.empty() ? TerminalText()
                         : terminal_text("    search its schedules, if explore has its server: {}\n", command);
}

// Stories below the matrix: each cause of an unexpected result, and for a run of few cells each flaw that was caught,
// with the scenario's reason for expecting it. Empty if there are none.
TerminalText stories(const RunAssessment& found, const Screen& screen) {
  TerminalText out;
  for (const CellAssessment* one : found.caught) {
    out += story(*one, screen);
    if (!one->cell->why.empty()) out += paragraph("Expected because: " + one->cell->why, screen);
  }
  for (const auto& cause : found.causes) {
    out += story(*cause.first, screen);
    out += expectations(*cause.first, screen);
    std::string others;
    for (const CellAssessment* other : cause.others) others += (others.empty() ? "" : ", ") + other->cell->scenario;
    if (!others.empty()) out += paragraph("Also in: " + others, screen);
    out += terminal_text("    rerun: {}\n", rerun_command(found.run, *cause.first->cell));
    out += search_hint(found.run, *cause.first);
  }
  if (out.text().find('#') != std::string::npos)
    out += Literal("\n#n refers to the event with \"index\":n in history.jsonl\n");
  return out;
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

TerminalText matrix_text(const RunAssessment& found, bool colour, std::size_t most) {
  const RunVerdict& run = found.run;
  const Screen screen{colour, most};
  const Sentence parts = sentence_parts(found);
  const Literal ansi = parts.tone == "pass" ? "1;32" : parts.tone == "fail" ? Literal("1;31") : Literal("1;33");
  TerminalText out = terminal_text("{}{}\n", coloured(terminal_text("{}", parts.word), ansi, colour),
                                   run_sentence(found).substr(parts.word.size()));
  if (!run.cells.empty())
    out += terminal_text("\n{}\n{}", matrix_table(run, colour, most), outcome_legend(found, screen));
  return folded(terminal_text("{}{}{}{}{}{}", out, stories(found, screen), proofs(run, screen),
                              not_tried(found, screen), changes(run, screen), answers(found, screen)),
                most);
}

}  // namespace holdfast
