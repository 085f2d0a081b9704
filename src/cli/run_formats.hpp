// The formats of reports/formats, as files in the folder of a run.
#pragma once

#include <string>

#include "reports/format.hpp"

namespace holdfast {

// Each format that has a file, but verdict.json, which whoever carried the run out writes last. Those of trials are
// written for trials in which something was violated.
void write_formats(const FormatInput& in);

// One format as text. Of a trial's format `cell` (LOCK/SCENARIO) and `number` choose the trial; without a cell, that of
// the most severe finding. Throws BadInput when there is no such trial, or nothing to tell of it.
std::string format_text(const FormatInput& in, const std::string& name, const std::string& cell, int number);

}  // namespace holdfast
