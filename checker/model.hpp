// The models under which a history is judged, and what a header or a person may ask for.
//
//   check_model("lease");                                          // fine
//   check_model("plane");                                          // BadInput: did you mean "plain"?
//   HistoryHeader header = header_under(reader.header(), "lease"); // as if the header had said so
//
// Which models there are is said by the properties themselves; there is no second list. One of them carries a number:
// `semaphore:3` is the model `semaphore` with three permits. What it does not do: it does
// not look at events; that model `lease` needs times and leases is found out on the way.
#pragma once

#include <cstdint>
#include <string>

#include "checker/property.hpp"
#include "history/history_source.hpp"

namespace holdfast {

bool judged_under(const PropertyType& type, const std::string& model);

// Throws BadInput, naming the models there are.
void check_model(const std::string& model);

// A lock that promises leases is judged by those; that a lapsed holder still believes is told, and inherent.
bool decides(const PropertyType& type, const std::string& model);
bool decides(const std::string& property, const std::string& model);  // of one that is known

// Whether anything that is judged under it looks at tokens, or at what owners are answered.
bool judges_tokens(const std::string& model);
bool judges_owners(const std::string& model);

// Whether it judges grants by their leases; and whether it is about a lock with one holder at a time that others of
// this kind (fenced, lease) could take the place of.
bool judges_leases(const std::string& model);
bool is_model_of_one_holder(const std::string& model);

// Whether holds may be shared (a line's `mode`) under it.
bool knows_shared(const std::string& model);

// How many permits a semaphore has; 0: the model is none.
std::int64_t permits_of(const std::string& model);

// The header with another model, empty: its own. In a history of our own, what the model judges takes the place of what
// the lock promised; what no model speaks of (the resource) stays as promised. Throws BadInput for an unknown model or
// promise.
HistoryHeader header_under(HistoryHeader header, const std::string& model);

}  // namespace holdfast
