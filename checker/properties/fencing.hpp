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
              {.name = "stale_write", .meaning = "the resource accepted a token that is smaller than one it had seen"},
              {.name = "drawn_late",
               .meaning = "a grant that was served first, as the leases show, has a token that is not smaller than "
                          "that of the grant after it",
               .advice = "the token is drawn after the lock is set, so that a client that is stopped between the two "
                         "draws it for a lease that is over. Draw it in the step that sets the lock.",
               .violated = "a holder of \"{key}\" whose lease was over had the newest fencing token ({by}{span})"}},
    .violated = "a fencing token of \"{key}\" did not rise ({by}{span})",
    .advice = "the token is not taken from one counter that outlives release and restart.",
    .invariants = "token_order",
};

}  // namespace holdfast
