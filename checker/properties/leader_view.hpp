// The words of leader_view; its rule is in leader_view.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_leader_view{
    .summary = "observers see only clients that led, in the order in which they led",
    .concerns = Concerns::holders,
    .promised_by = PromisedBy::elections_that_tell,
    .rank = 8,
    .kinds = {{.name = "went_back",
               .meaning = "an observer saw a leader whose term had ended before that of a leader it had already seen",
               .advice =
                   "an observer saw an older leader after a newer one: check where it reads (a replica, a cache), "
                   "notices that overtake each other, and keep-alives that arrive after their sender has resigned."},
              {.name = "never_led",
               .meaning = "an observer saw a leader that had not campaigned yet, or had been refused",
               .advice = "an observer saw a leader that had not asked to lead: check what the observer takes for the "
                         "leader, and campaigns that start by themselves."}},
    .violated = "observers saw leaders of \"{key}\" that did not lead at that time ({by}{span})",
    .advice = "check where the observer reads the current leader.",
};

}  // namespace holdfast
