// The checker: a history in, a verdict out. A pure function of the file; links no database, knows no clock.
//
//   TrialVerdict verdict = check_history("runs/latest/insert_lease/pause/1/history.jsonl");
//   TrialVerdict foreign = check_history("other.jsonl", "lease");   // a foreign history, under a model
//
// One pass; memory grows with processes, keys and faults, not with operations (the file of a property says so where it
// must). A property that fails by itself is `undecided`, never `holds`.
//
// Judges holdfast's own runs by what their clients believed, and foreign histories by what must have been true. A
// release that surely failed ends a belief in an own run, but has no effect in a foreign history. Properties that only
// apply to foreign histories (`plain_exclusion`, `lease_service`, `permits`) are not reported for others.
//
// `extent`: with first_violation reading stops as soon as one is known, so counts are those of the part read. `model`
// (model.hpp) overrides the header's; empty: the header's, else owner. In own histories the header's promises decide
// which properties apply, unless a model was asked for; in foreign ones the model does. Throws BadInput for whatever
// the reader refuses, an unknown model, an unknown property as a promise, and model `lease` without times or leases.
#pragma once

#include <string>

#include "artifact/input_file.hpp"
#include "artifact/verdict.hpp"
#include "history/history_source.hpp"

namespace holdfast {

enum class CheckScope : std::uint8_t { whole, first_violation };

// The file in whatever form open_history takes.
TrialVerdict check_history(const InputFile& file, const std::string& model = "", CheckScope scope = CheckScope::whole);
TrialVerdict check_history(HistorySource& source, const std::string& model = "", CheckScope scope = CheckScope::whole);

}  // namespace holdfast
