// Opens a history in whatever form it comes: JSON lines, Jepsen's history.edn, a client's journal, or a folder of
// journals. The form is told from the content, not from the name.
//
//   auto source = open_history("history.edn");
//
// Throws BadInput as the source itself does, and for a folder without journals.
#pragma once

#include <memory>

#include "history/history_source.hpp"

namespace holdfast {

std::unique_ptr<HistorySource> open_history(const std::string& path);

}  // namespace holdfast
