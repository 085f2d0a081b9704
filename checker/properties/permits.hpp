// The words of permits; its rule is in permits.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_permits{
    .summary = "a semaphore's permits, or a read-write lock's holds, are never exceeded",
    .kinds = {{.name = "too_many_holders"},
              kinds::kReleaseWithoutGrant,
              kinds::kLostLock,
              {.name = "refused_with_room"}},
};

}  // namespace holdfast
