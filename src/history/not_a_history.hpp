// What somebody gave by mistake where a history was wanted: a scenario, a verdict, a lock's manifest, a folder of them.
//
//   refuse_other_json("none.json");     // returns where the file may be a history; else BadInput: what it is, a remedy
//
// Only a file that is as a whole one JSON object, of at most a mebibyte, is told from a history. All else is left to
// the reader, whose message names the line.
#pragma once

#include <string>

#include "artifact/input_file.hpp"

namespace holdfast {

void refuse_other_json(const InputFile& file);

// Why a folder without journals is none: with what is in it, where that is known, and what to do.
std::string why_no_history(const std::string& folder);

}  // namespace holdfast
