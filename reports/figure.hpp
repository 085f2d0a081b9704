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
#include "reports/sent_statements.hpp"

namespace holdfast {

// `signs`: with the key to them.
void write_figure(const Finding&, const Timeline&, bool signs, HtmlWriter& out);

// The story of a violation: facts, proven statements, suggestions.
void write_story(const Finding&, const Timeline*, HtmlWriter& out);

// The statements, with their values, of the operations that the violation is made of; nothing where none is known.
void write_sent(const std::map<std::string, std::vector<SentStatement>>& sent, const Finding&, const Timeline&,
                HtmlWriter& out);

}  // namespace holdfast
