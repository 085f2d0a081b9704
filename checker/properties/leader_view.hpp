// The words of leader_view; its rule is in leader_view.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_leader_view{
    .summary = "an observer is told of leaders that there were, in the order in which they led",
    .concerns = Concerns::holders,
    .promised_by = PromisedBy::elections_that_tell,
    .rank = 8,
    .kinds = {{.name = "went_back",
               .meaning = "an observer was told of a leader whose time was over before that of one it had been told of",
               .advice = "an observer was shown the past after the present: look at where it reads (a replica, a "
                         "cache), at notices that overtake each other, and at a keep-alive that arrives after its "
                         "sender has resigned."},
              {.name = "never_led",
               .meaning = "an observer was told of a leader who had not campaigned by then, or had been refused",
               .advice = "somebody was shown as the leader who had not asked to be one: look at what the observer "
                         "takes for the leader, and at campaigns that begin by themselves."}},
    .violated = "observers were told of leaders of \"{key}\" who did not lead then ({by}{span})",
    .advice = "look at where the observer reads who leads.",
};

}  // namespace holdfast
