// Kinds of overlaps that renewals show, which the exclusions and the resource share.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast::kinds {

inline constexpr KindWords kRenewedInVain{
    .name = "renewed_in_vain",
    .meaning = "a renewal was answered ok, but another client that asked after it was still granted the lock",
    .advice =
        "a renewal is answered ok but does not keep the lock: another client that asked after it was granted the lock "
        "during the renewed lease. Check what the renewal writes (the unit of the time, a time of 0, a column that the "
        "acquire ignores), and whether it uses the session that holds the lock.",
    .without_suspect = true,
    .names_flaw = true,
    .one_of = {"algorithm"}};

}  // namespace holdfast::kinds
