// The words of loss_notice; its rule is in loss_notice.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_loss_notice{
    .summary = "a holder that lost its lock to another client learns of it within the time that the lock promises",
    .concerns = Concerns::owners,
    .promised_by = PromisedBy::locks_that_tell,
    .rank = 7,
    .kinds =
        {{.name = "late_notice",
          .meaning = "a former holder learned later than the lock promises that it had lost the lock"},
         {.name = "no_notice",
          .meaning = "a former holder did not learn that it had lost the lock, for longer than the lock promises",
          .advice =
              "the library did not report the loss. Check which part of it watches the lease or the session, whether "
              "that part keeps running while the job's thread is busy, and whether the job's callback is called."}},
    .violated = "a former holder of \"{key}\" did not learn for {length} that it had lost it ({by}{span})",
    .advice = "check how often the library checks its lease or its session, and how long such a check can hang.",
};

}  // namespace holdfast
