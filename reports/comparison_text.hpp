// Comparisons and safety envelopes in words: the columns of a comparison, and both as a terminal shows them.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/envelope.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

// One cell of a comparison in words: the columns that the terminal's table and the page share.
//
//   insert_lease | 5.2 | 1.20 s (16 %), longest 1.14 s | 45 ms | 0.9 ms / 1.4 ms | ... | mutual_exclusion 3/3 overrun
//
// What was not measured is "-", never 0: a wait that never happened has no length.

struct ComparisonColumn {
  const char* name;
  const char* meaning;
};
const std::vector<ComparisonColumn>& comparison_columns();

// One word a column.
std::vector<std::string> comparison_row(const ComparedCell&);

// "COMPARED 3 variants under 2 scenarios, 3 trials each", "NEW 1 violation that the baseline does not have"
std::string comparison_sentence(const Comparison&);

std::string change_words(const ComparedChange&);

// A comparison as a terminal shows it: a table for each scenario, what the columns mean, and what has changed since a
// baseline.
//
//   say("{}", comparison_text(comparison));
//
// UTF-8, no colour; ends with a line end. With a number of `most` columns (0: any) a wider table is transposed: a
// variant is then a column, and longer lines are folded.

TerminalText comparison_text(const Comparison&, std::size_t most = 0);

// Rows of words, made visible, as columns, two blanks apart; the last column is not padded.
TerminalText aligned(const std::vector<std::vector<std::string>>& rows);

// Safety envelopes as a terminal shows them: the bracket, how often each amount was tried, and why it broke, in words.
//
//   insert_lease, pause (for_ms), lease 2,000 ms
//     holds at 1,850 ms (3 of 3), violated at 1,900 ms (3 of 3: mutual_exclusion overrun)
//
// UTF-8, no colour; ends with a line end.

TerminalText envelope_text(const EnvelopeRun&);

// "1,850 ms", "20 %", "no fault".
std::string amount_text(const Envelope&, std::int64_t amount);

// "holds at 1,850 ms (3 of 3), violated at 1,900 ms (3 of 3: mutual_exclusion overrun)"
std::string bracket_text(const Envelope&);

// "ENVELOPE", or "INTERRUPTED"; and what was done, as "3 searches · 3 trials each · MariaDB 10.11.19".
std::string envelope_word(const EnvelopeRun&);
std::string envelope_claim(const EnvelopeRun&);

}  // namespace holdfast
