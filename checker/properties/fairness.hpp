// The words of fairness; its rule is in fairness.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_fairness{
    .summary = "who waits for the lock is granted it before more than so many that asked later",
    .concerns = Concerns::waiters,
    .kinds = {{.name = "overtaken",
               .meaning = "more that asked later were granted the lock before one that waited than the lock promises"},
              {.name = "starved",
               .meaning = "one that waited had no answer to the end, while more that asked later were granted the lock "
                          "than it promises",
               .advice = "the waiter was never served: look at whether it is still in the queue, and at who wakes it "
                         "when the lock is released."}},
    .violated = "a waiter for \"{key}\" was passed by more than the lock promises ({by}{span})",
    .advice =
        "look at the order in which waiters are woken or served, and at whether a newcomer may take a lock that "
        "was just released before those that wait for it.",
};

}  // namespace holdfast
