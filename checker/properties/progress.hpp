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
              {.name = "always_errs",
               .meaning = "nobody is granted a key that is free, and every attempt is answered by an error",
               .advice = "every attempt fails with an error, which nothing in the lock clears: look at the statement "
                         "that the error answers, and at what must be done after an error before the next statement "
                         "(a transaction that a server has aborted takes none, until it is rolled back).",
               .violated = "every attempt at \"{key}\" was answered by an error for {length} ({span})",
               .one_of = {"stuck"}},
              {.name = "refused_free",
               .meaning = "a key that nobody held or was asking for was refused as busy",
               .advice = "what is another key's, or nobody's any more, is taken for this key's: look at how keys are "
                         "compared (case, blanks, length, a hash), at the time zone of what is stored, and at what the "
                         "lock reads back.",
               .violated = "\"{key}\" was refused though nobody held it ({by}{span})"},
              {.name = "asleep",
               .meaning = "an acquire waited beside a key that had been given back",
               .advice = "a waiter sleeps though the key is free: it was not told of the release. Look at what happens "
                         "between the refusal and the subscription, and try once more after it has subscribed; wake "
                         "the next waiter when one gives up.",
               .violated = "an acquire of \"{key}\" slept for {length} though the key was free ({by}{span})",
               .names_flaw = true},
              {.name = "client_kept_out",
               .meaning = "one client was refused a free key to the end, while others were granted it",
               .advice = "what refuses is in the client, not at the server: a flag, a local lock or a cached answer "
                         "that a release or an error did not clear. Clear it whatever the server answers.",
               .violated = "\"{key}\" was refused to one client for {length} while others were granted it "
                           "({by}{span})",
               .names_flaw = true},
              {.name = "never_given_back",
               .meaning = "a client that releases a key and is answered ok is the only one that is granted it again",
               .advice = "a release is answered ok and gives nothing back: the lock stays with a session or an owner, "
                         "which alone may take it again. Look at what the server answers to the release (0, NULL), and "
                         "whether it goes through the same connection and names the same owner as the acquire: a pool "
                         "may give each statement another one.",
               .violated = "\"{key}\" was released and granted to one client again and again, and refused to the "
                           "others for {length} ({by}{span})",
               .names_flaw = true},
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
    .invariants = "stuck unexpected_error",
};

}  // namespace holdfast
