// A trial's picture with all that belongs to it: the timeline, the strip of the whole trial, the key to the signs, what
// was left out, and the same as tables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "artifact/verdict.hpp"
#include "reports/finding.hpp"
#include "reports/focus.hpp"
#include "reports/html.hpp"
#include "reports/page.hpp"
#include "reports/sent_statements.hpp"

namespace holdfast {

// The picture of a violation, or of the first fault. `signs`: with the key to them.
void write_figure(const Finding&, const Timeline&, bool signs, HtmlWriter& out);

// Plots of the whole trial. Scripts replace them by a timeline that can be searched and zoomed.
void write_explorer(const PageFiles&, const Finding&, HtmlWriter& out);

// Statements of violations' operations, by the trial's folder.
using SentByFolder = std::map<std::string, std::vector<SentStatement>>;

// The story of a violation: facts, each with the statements of the operation that it names, proven statements,
// suggestions, and the other statements of the violation's operations.
void write_story(const Finding&, const Timeline*, const SentByFolder& sent, HtmlWriter& out);

}  // namespace holdfast
