// The words of progress; its rule is in progress.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_progress{
    .summary = "a free lock can be acquired",
    .concerns = Concerns::waiters,
    .promised_by = PromisedBy::every_lock,
    .rank = 6,
    .kinds =
        {{.name = "stuck", .meaning = "no client can acquire a key although all its leases have expired"},
         {.name = "always_errs",
          .meaning = "no client can acquire a free key, and every attempt is answered with an error",
          .advice =
              "every attempt fails with an error, and nothing in the lock clears it. Check the statement that fails, "
              "and what must follow an error: a transaction that the server has aborted accepts no statement "
              "until it is rolled back.",
          .violated = "every attempt to acquire \"{key}\" failed with an error for {length} ({span})",
          .one_of = {"stuck"}},
         {.name = "renewed_after_release",
          .meaning =
              "after a release that had failed, or had no answer, the lock stayed taken for longer than its lease",
          .advice = "the client's own renewals go on after a release that failed, so the lease never ends. Stop the "
                    "renewals before the release is sent, whatever its answer is.",
          .violated = "no client could acquire \"{key}\" for {length} after a release that failed ({span})",
          .one_of = {"stuck"}},
         {.name = "refused_free",
          .meaning = "a key was refused as busy although no client held it or was asking for it",
          .advice =
              "the lock takes the entry of another key, or an expired entry, for this key's. Check how keys are "
              "compared (case, blanks, length, a hash), the time zone of stored times, and what the lock reads back.",
          .violated = "\"{key}\" was refused as busy although no client held it ({by}{span})"},
         {.name = "asleep",
          .meaning = "an acquire kept waiting although the key had been released",
          .advice =
              "a waiter sleeps although the key is free: it missed the release. Check what happens between the refusal "
              "and the subscription, and try once more after subscribing; wake the next waiter when one gives up.",
          .violated = "an acquire of \"{key}\" kept waiting for {length} although the key was free ({by}{span})",
          .names_flaw = true},
         {.name = "client_kept_out",
          .meaning = "one client was refused a free key until the end of the trial, while others were granted it",
          .advice = "the client refuses the lock, not the server: a flag, a local lock or a cached answer was not "
                    "cleared by a release or an error. Clear it whatever the server answers.",
          .violated = "one client could not acquire \"{key}\" for {length} while others were granted it ({by}{span})",
          .names_flaw = true},
         {.name = "writer_kept_out",
          .meaning = "after a reader had died, a writer was refused until the end of the trial, while readers were "
                     "granted the key",
          .advice = "a reader that died is still counted: its entry never expires, or the next readers extend it. Give "
                    "each reader an entry that expires by itself, and have a writer ignore expired entries.",
          .violated = "a writer could not acquire \"{key}\" for {length} after a reader had died ({by}{span})",
          .names_flaw = true},
         {.name = "never_given_back",
          .meaning = "a client released a key and was answered ok, but only that client was granted the key again",
          .advice = "a release is answered ok, but does not release the lock: the lock stays with a session or an "
                    "owner, and only that one can take it again. Check what the server answers to the release (0, "
                    "NULL), and whether the release uses the same connection and names the same owner as the acquire: "
                    "a pool may give each statement a different connection. If they differ in nothing, the others may "
                    "ask in a transaction that they never end, which shows them an old snapshot.",
          .violated = "one client released and acquired \"{key}\" again and again, and the others were refused it for "
                      "{length} ({by}{span})",
          .names_flaw = true},
         {.name = "orphan_after_cancel",
          .meaning = "a released key stayed refused after a client had cancelled an acquire of it",
          .advice = "a cancelled acquire left something behind: a request in flight that still took the lock, or a "
                    "place in a queue whose turn came. Have the cancel clean up before the acquire is answered: check "
                    "whether the lock was taken and release it, or leave the queue.",
          .violated = "\"{key}\" was refused for {length} after a cancelled acquire, although it had been released "
                      "({by}{span})"},
         {.name = "no_return",
          .meaning = "a call to the library had not returned long after all faults had ended",
          .advice =
              "a call waits for something that never comes. Look for a wait without a limit, or with a limit in "
              "another unit than the server's; for a notice that no client sends when a lease ends by itself; and "
              "for a connection whose other end is gone.",
          .violated = "a call for \"{key}\" had not returned after {length} ({by}{span})"},
         {.name = "refused_while_free",
          .meaning = "in a recorded history: a refusal that no client's hold can explain"}},
    .violated = "no client could acquire \"{key}\" for {length} ({span})",
    .advice =
        "the lock of a holder that is gone, or whose release failed, is never freed: check expiry, sessions that "
        "linger, and the answer to the last release.",
    .invariants = "stuck no_return unexpected_error",
};

}  // namespace holdfast
