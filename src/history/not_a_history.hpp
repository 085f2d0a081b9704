// Detects other files given in place of a history: a scenario, a verdict, a lock's manifest, or a folder of them.
//
//   refuse_other_json("none.json");     // throws BadInput with a remedy unless it may be a history
//
// It recognizes only files that are one JSON object of at most a mebibyte. Everything else is left to the reader, whose
// message names the line.
#pragma once

#include <string>

#include "artifact/input_file.hpp"

namespace holdfast {

void refuse_other_json(const InputFile& file);

// Explains why a folder without journals is not a history, with its contents, if known, and a remedy.
std::string why_no_history(const std::string& folder);

}  // namespace holdfast
