// Rewords errors of the command line's parser.
//
//   usage_words("--repeat: Value 0 not in range 1 to 100000")   "--repeat: must be from 1 to 100000, not 0"
//   usage_words("WHAT: lock not in {locks,drivers}")            "unknown WHAT 'lock' (did you mean 'locks'?); ..."
//
// The parser has a sentence for each kind of error; unknown sentences are returned unchanged.
#pragma once

#include <string>

namespace holdfast {

std::string usage_words(const std::string& parsers);

}  // namespace holdfast
