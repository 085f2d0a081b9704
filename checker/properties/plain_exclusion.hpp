// The words of plain_exclusion; its rule is in plain_exclusion.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_plain_exclusion{
    .summary = "a lock without owner is acquired and released in turns",
    .kinds = {{.name = "acquired_while_held"}, {.name = "released_while_free"}, {.name = "not_held_while_held"}},
};

}  // namespace holdfast
