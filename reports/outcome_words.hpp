// Names of outcomes and judgements for every report: a glyph, a word and a colour's name, never colour alone.
#pragma once

#include <string>
#include <string_view>

#include "artifact/literal.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {

struct OutcomeWords {
  Literal terminal;  // "x exp"
  Literal glyph;     // glyph on the page: "✗"
  Literal word;      // word on the page: "caught"
  Literal meaning;   // for legends
  Literal ansi;      // terminal colour
};

const OutcomeWords& words_of(Outcome);

// "violated:overrun", "not exercised"
std::string seen_word(const PropertyVerdict&);
// A scenario's statement about a property, in words that cannot be read as their opposite: for `allowed` "holds, or not
// exercised"; for `allowed:overrun` "holds, not exercised, or violated:overrun"; for nothing "holds".
std::string expected_word(const std::string& stated);
// True if only a kept promise or an allowed violation passes: `allowed...` and `holds_but:...`.
bool allows(const std::string& stated);

const char* glyph_of(Judgement);

// "lease exclusion" of lease_exclusion
std::string spaced(std::string_view name);

// k/n, when the cell was repeated; else empty.
std::string repeated_text(const Cell&);

// True if the matrix has a place for which no cell was asked; one that was asked for and did not run has its mark.
bool has_blanks(const RunVerdict&);

const Cell* find_cell(const RunVerdict&, const std::string& lock, const std::string& scenario);

}  // namespace holdfast
