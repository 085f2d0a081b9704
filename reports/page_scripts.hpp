// Scripts at the end of an interactive page: the trials' packed events, and the one script that reads them.
#pragma once

#include <string>

#include "reports/html.hpp"
#include "reports/page.hpp"

namespace holdfast {

// The content-security policy: nothing is loaded, and no style or script applies but ours, known by their sums. Should
// an escape ever fail, what it lets in is dead.
std::string page_policy();
std::string still_page_policy();  // for a page without any script

// The id of the block with a trial's events.
std::string events_id(const TrialResult&);

// `out` holds the rest of the page already; what room is left goes to events. A trial without has an empty block that
// says why.
void write_scripts(const PageInput&, HtmlWriter& out);

}  // namespace holdfast
