// The words of permits; its rule is in permits.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_permits{
    .summary = "no more is held at once than there is, of a semaphore or read-write lock",
    .kinds = {{.name = "too_many_holders"},
              kinds::kReleaseWithoutGrant,
              kinds::kLostLock,
              {.name = "refused_with_room"}},
};

}  // namespace holdfast
