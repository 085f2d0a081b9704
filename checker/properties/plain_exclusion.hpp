// The words of plain_exclusion; its rule is in plain_exclusion.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_plain_exclusion{
    .summary = "acquires and releases of a lock without owners alternate",
    .kinds = {{.name = "acquired_while_held"}, {.name = "released_while_free"}, {.name = "not_held_while_held"}},
};

}  // namespace holdfast
