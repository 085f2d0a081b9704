// The words of fairness; its rule is in fairness.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_fairness{
    .summary = "no waiter is overtaken by more later requests than the lock promises",
    .concerns = Concerns::waiters,
    .kinds = {{.name = "overtaken", .meaning = "a waiter was overtaken by more later requests than the lock promises"},
              {.name = "starved",
               .meaning = "a waiter had no answer until the end of the trial, while more later requests than the lock "
                          "promises were granted",
               .advice = "the waiter was never served: check whether it is still in the queue, and what wakes it when "
                         "the lock is released."}},
    .violated = "a waiter for \"{key}\" was overtaken more often than the lock promises ({by}{span})",
    .advice =
        "check the order in which waiters are woken or served, and whether a newcomer can take a lock that was just "
        "released before the waiters do.",
};

}  // namespace holdfast
