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

inline constexpr KindWords kRenewalsEnded{
    .name = "renewals_ended",
    .meaning = "without a fault, a lock that renews by itself let a lease end while its holder worked",
    .advice =
        "the lock renews by itself while its holder works, and it let this lease end without a fault, so that another "
        "client was granted the lock. Look at what ends its renewals: an error that is not tried again, a timer that a "
        "grant does not start again, a note of an earlier grant that says that they run.",
    .names_flaw = true,
    .one_of = {"overrun"}};

}  // namespace holdfast::kinds
