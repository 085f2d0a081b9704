// The words of fencing; its rule is in fencing.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_fencing{
    .summary = "each grant has a larger fencing token than the one before",
    .concerns = Concerns::tokens,
    .promised_by = PromisedBy::fenced_locks,
    .rank = 4,
    .kinds = {kinds::kAlgorithm,
              {.name = "stale_write", .meaning = "the resource accepted a smaller token than one it had already seen"},
              {.name = "drawn_late",
               .meaning =
                   "the leases show that one grant was served before another, but its token is not the smaller one",
               .advice = "the token is drawn after the lock is set, so a client that is stopped between the two steps "
                         "draws a token for a lease that has expired. Draw the token in the step that sets the lock.",
               .violated = "a holder of \"{key}\" whose lease had expired had the newest fencing token ({by}{span})"}},
    .violated = "a grant of \"{key}\" did not have a larger fencing token than the one before ({by}{span})",
    .advice =
        "the tokens do not come from a single counter that survives releases and restarts: it is deleted with the "
        "lock, or ends with it. Keep the counter in an entry without an end, and increase it in the step that "
        "grants.",
    .invariants = "token_order",
};

}  // namespace holdfast
