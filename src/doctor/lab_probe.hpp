// Tries the parts of a lab step by step, so that the report names the missing one: namespaces, nodes with links and
// addresses, rules that drop packets.
//
//   auto found = probe_lab(folder);   // outside: starts a lab, waits, reads the results
//   run_lab_probe(folder);            // inside it
//
// Always three examinations. After a failure the others are `not_tried`.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace holdfast {

std::vector<Examination> probe_lab(const std::string& folder);

void run_lab_probe(const std::string& folder);

}  // namespace holdfast
