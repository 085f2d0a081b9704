// Opens a history in whatever form it comes: JSON lines, Jepsen's history.edn, a journal, a folder of journals, or the
// folder of a trial. The form is told from the content, not from the name.
//
//   auto source = open_history("history.edn");
//
// `not_held`: who says so in a history of Jepsen's (jepsen_history.hpp). Throws BadInput as the source itself does, for
// a folder without journals, and for journals of a trial without its history.
#pragma once

#include <memory>

#include "history/history_source.hpp"
#include "history/jepsen_history.hpp"

namespace holdfast {

std::unique_ptr<HistorySource> open_history(const std::string& path, NotHeld not_held = NotHeld::said_by_lock);

}  // namespace holdfast
