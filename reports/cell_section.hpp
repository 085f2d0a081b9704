// The section of one cell, one lock under one scenario: what was expected and what was seen, why the scenario expects
// it, each trial, the witnesses, and the picture of the trial that says most.
#pragma once

#include <map>
#include <string>

#include "reports/cell_assessment.hpp"
#include "reports/html.hpp"
#include "reports/page.hpp"

namespace holdfast {

// Its address in the page: "insert_lease/pause".
std::string cell_anchor(const Cell&);

// The outcome as everywhere in the page: glyph and word, with a class for the colour.
void write_outcome(Outcome, const std::string& repeated, HtmlWriter& out);

// The trial's full verdict; null if it is not at hand.
const Timeline* timeline_of(const PageFiles&, const Finding&);

// The schedule of a search that a finding tells; null: it is not of a search, or its steps are not known.
const ExploredFind* explored_find(const PageFiles&, const Finding&);

// The inside of an open cell. `picture`: with the timeline, which stands still if the cell is packed.
void write_cell_body(const PageInput&, const CellAssessment&, bool picture, HtmlWriter&);

// The line that says what its scenario does; nothing if the scenario does not say.
void write_about(const Cell&, HtmlWriter& out);

void write_cell_section(const PageInput&, const CellAssessment&, HtmlWriter& out);

// Names a replacement for the lock of a violated cell, as far as it is known.
void write_instead(const PageInput&, const Cell&, HtmlWriter& out);

// All violations of the trial except the one in the story, folded.
void write_more_witnesses(const Finding& told, HtmlWriter& out);

// A cell's expectations of each property, beside the results of its trials.

void write_property_table(const Cell&, HtmlWriter& out);

}  // namespace holdfast
