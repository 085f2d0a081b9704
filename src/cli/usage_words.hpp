// What the parser of the command line refuses, in this program's words.
//
//   usage_words("--repeat: Value 0 not in range 1 to 100000")   "--repeat: must be from 1 to 100000, not 0"
//   usage_words("WHAT: lock not in {locks,drivers}")            "unknown WHAT 'lock' (did you mean 'locks'?); known:
//   ..."
//
// The parser has its own sentence for each kind of mistake; one that is not known here comes back as it is.
#pragma once

#include <string>

namespace holdfast {

std::string usage_words(const std::string& parsers);

}  // namespace holdfast
