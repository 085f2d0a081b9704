// Kinds of overlaps that renewals show, which the exclusions and the resource share.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast::kinds {

inline constexpr KindWords kRenewedInVain{
    .name = "renewed_in_vain",
    .meaning = "a renewal was answered ok, and another client that asked after it was granted the lock all the same",
    .advice =
        "a renewal is answered ok and does not keep the lock: another client that asked after it was granted the lock "
        "while the renewed lease lasted. Look at what the renewal writes (the unit of the time, a time of 0, a column "
        "that the acquire does not look at), and whether it goes to the session that has the lock.",
    .without_suspect = true,
    .names_flaw = true,
    .one_of = {"algorithm"}};

}  // namespace holdfast::kinds
