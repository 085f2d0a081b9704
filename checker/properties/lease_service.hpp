// The words of lease_service; its rule is in lease_service.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_lease_service{
    .summary = "all leases can have been granted one after the other",
    .kinds = {{.name = "served_twice"}, {.name = "acted_late"}},
};

}  // namespace holdfast
