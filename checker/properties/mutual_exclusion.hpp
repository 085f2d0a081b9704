// The words of mutual_exclusion; its rule is in mutual_exclusion.cpp.
#pragma once

#include "artifact/property_words.hpp"
#include "checker/renewal_kinds.hpp"

namespace holdfast {

inline const PropertyWords words_mutual_exclusion{
    .summary = "at most one client acts as holder of a key at any time",
    .concerns = Concerns::holders,
    .promised_by = PromisedBy::every_lock,
    .rank = 2,
    .kinds = {kinds::kAlgorithm, kinds::kLossUnnoticed, kinds::kOverrun, kinds::kLateGrant, kinds::kWaitedOut,
              kinds::kBelievedUnanswered, kinds::kLockedNothing, kinds::kRenewedInVain, kinds::kRenewalsEnded},
    .violated = "{who} {both} held \"{key}\" for {length} ({span})",
    .invariants = "two_naive_holders false_look",
    .when_outlived = "overrun,late_grant",
    .was = "belief_exclusion",
};

}  // namespace holdfast
