// How every report names an outcome and a judgement: a glyph, a word and a colour's name, never colour alone.
#pragma once

#include <string>
#include <string_view>

#include "artifact/literal.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {

struct OutcomeWords {
  Literal terminal;  // "x exp"
  Literal glyph;     // of the page: "✗"
  Literal word;      // of the page: "caught"
  Literal meaning;   // for legends
  Literal ansi;      // terminal colour
};

const OutcomeWords& words_of(Outcome);

// "violated:overrun", "not exercised"
std::string seen_word(const PropertyVerdict&);
// What a scenario states of a property, in words that nobody reads as their opposite: of `allowed` "holds, or not
// exercised"; of `allowed:overrun` "holds, not exercised, or violated:overrun"; of nothing "holds".
std::string expected_word(const std::string& stated);
// Whether nothing passes but a kept promise, or a violation that is allowed: `allowed...` and `holds_but:...`.
bool allows(const std::string& stated);

const char* glyph_of(Judgement);

// "lease exclusion" of lease_exclusion
std::string spaced(std::string_view name);

// k/n, when the cell was repeated; else empty.
std::string repeated_text(const Cell&);

// Whether the matrix has a place where no cell was asked for; one that was asked for and did not run has its mark.
bool has_blanks(const RunVerdict&);

const Cell* find_cell(const RunVerdict&, const std::string& lock, const std::string& scenario);

}  // namespace holdfast
