// The words of progress; its rule is in progress.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_progress{
    .summary = "a lock that nobody holds can be had",
    .concerns = Concerns::waiters,
    .promised_by = PromisedBy::every_lock,
    .rank = 6,
    .kinds = {{.name = "stuck", .meaning = "nobody is granted a key whose leases are over"},
              {.name = "refused_free",
               .meaning = "a key that nobody held or was asking for was refused as busy",
               .advice = "what is another key's, or nobody's any more, is taken for this key's: look at how keys are "
                         "compared (case, blanks, length, a hash), at the time zone of what is stored, and at what the "
                         "lock reads back.",
               .violated = "\"{key}\" was refused though nobody held it ({by}{span})"},
              {.name = "orphan_after_cancel",
               .meaning = "a key that was given back stayed refused after somebody had cancelled an acquire of it",
               .advice = "a cancelled acquire left something behind: a request that was on its way and took the lock "
                         "all the same, or a place in a queue whose turn came. Let the cancel clean up: look whether "
                         "the lock was taken and release it, or leave the queue, before the acquire is answered.",
               .violated = "\"{key}\" was refused for {length} after a cancelled acquire, though it was given back "
                           "({by}{span})"},
              {.name = "no_return",
               .meaning = "a call of the library had no answer long after everything was healed",
               .advice = "a call waits for what never comes: look for a connection whose other end is gone, and for a "
                         "request without a time limit of its own.",
               .violated = "a call of \"{key}\" had not come back after {length} ({by}{span})"},
              {.name = "refused_while_free",
               .meaning = "in a history of anybody's: a refusal that nobody's hold can explain"}},
    .violated = "nobody could get \"{key}\" for {length} ({span})",
    .advice =
        "nobody frees the lock of a holder that is gone, or whose release failed; look at expiry, at sessions "
        "that linger, and at what the last release was answered.",
    .invariants = "stuck",
};

}  // namespace holdfast
