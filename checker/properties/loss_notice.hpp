// The words of loss_notice; its rule is in loss_notice.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_loss_notice{
    .summary = "a holder that lost its lock to another is told so within the time that the lock promises",
    .concerns = Concerns::owners,
    .promised_by = PromisedBy::locks_that_tell,
    .rank = 7,
    .kinds = {{.name = "late_notice",
               .meaning = "a former holder was told later than the lock promises that it had lost the lock"},
              {.name = "no_notice",
               .meaning = "a former holder was never told, in more time than the lock promises to take, that it had "
                          "lost the lock",
               .advice = "nobody told the former holder: look at who in the library watches the lease or the session, "
                         "whether it goes on while the job's thread is busy, and whether the job is called back."}},
    .violated = "a former holder of \"{key}\" did not know for {length} that it had lost it ({by}{span})",
    .advice = "look at how often the library looks at its lease or its session, and at how long a look may hang.",
};

}  // namespace holdfast
