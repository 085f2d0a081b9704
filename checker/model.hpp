// The models under which a history is judged, and what a header or a person may ask for.
//
//   check_model("lease");                                          // fine
//   check_model("plane");                                          // BadInput: did you mean "plain"?
//   HistoryHeader header = header_under(reader.header(), "lease"); // as if the header had said so
//
// The properties themselves declare the models; there is no second list. One of them carries a number: `semaphore:3` is
// the model `semaphore` with three permits. Events are not examined here: the pass over the history finds out that
// model `lease` needs times and leases.
#pragma once

#include <cstdint>
#include <string>

#include "checker/property.hpp"
#include "history/history_source.hpp"

namespace holdfast {

bool judged_under(const PropertyType& type, const std::string& model);

// Throws BadInput, naming the models there are.
void check_model(const std::string& model);

// True if the model decides by the property. A lock that promises leases is judged by those; a lapsed holder that still
// believes is reported as inherent.
bool decides(const PropertyType& type, const std::string& model);
bool decides(const std::string& property, const std::string& model);  // of a known property

// True if a property judged under the model looks at tokens, or at answers to owners.
bool judges_tokens(const std::string& model);
bool judges_owners(const std::string& model);

// True if it judges grants by their leases; and if it describes a lock with one holder at a time that others of this
// kind (fenced, lease) could replace.
bool judges_leases(const std::string& model);
bool is_model_of_one_holder(const std::string& model);

// True if holds may be shared (a line's `mode`) under it.
bool knows_shared(const std::string& model);

// Number of permits of a semaphore; 0: another model.
std::int64_t permits_of(const std::string& model);

// The header with another model, empty: its own. In a history of our own, what the model judges takes the place of what
// the lock promised; what no model speaks of (the resource) stays as promised. Throws BadInput for an unknown model or
// promise.
HistoryHeader header_under(HistoryHeader header, const std::string& model);

}  // namespace holdfast
