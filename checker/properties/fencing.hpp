// The words of fencing; its rule is in fencing.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_fencing{
    .summary = "tokens rise with the grants",
    .concerns = Concerns::tokens,
    .promised_by = PromisedBy::fenced_locks,
    .rank = 4,
    .kinds = {kinds::kAlgorithm,
              {.name = "stale_write", .meaning = "the resource accepted a token that is smaller than one it had seen"}},
    .violated = "a fencing token of \"{key}\" did not rise ({by}{span})",
    .advice = "the token is not taken from one counter that outlives release and restart.",
    .invariants = "token_order",
};

}  // namespace holdfast
