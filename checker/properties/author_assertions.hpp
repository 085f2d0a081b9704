// The words of author_assertions; its rule is in author_assertions.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_author_assertions{
    .summary = "every `always` assertion of the lock's author is true whenever it is evaluated",
    .concerns = Concerns::author,
    .promised_by = PromisedBy::locks_that_assert,
    .rank = 9,
    .kinds = {{.name = "assertion_failed",
               .meaning = "an `always` assertion of the lock's author was false",
               .advice = "the lock's own assertion was false: its author knows what it means. The history shows what "
                         "the clients did at that time.",
               .without_suspect = true}},
    .violated = "the assertion \"{key}\" was false ({by}{span})",
    .advice = "look at the assertion in the lock's adapter.",
};

}  // namespace holdfast
