// What a lab is made of, tried step by step, so that a machine that lacks one of them hears which: namespaces, nodes
// with links and addresses, rules that drop packets.
//
//   auto found = probe_lab(folder);   // outside: starts a lab, waits, reads what was found
//   run_lab_probe(folder);            // inside it
//
// Always the same three examinations. When the first fails the others are `not_tried`.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace holdfast {

std::vector<Examination> probe_lab(const std::string& folder);

void run_lab_probe(const std::string& folder);

}  // namespace holdfast
